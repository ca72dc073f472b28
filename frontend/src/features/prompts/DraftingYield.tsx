/** Outcomes of the questions that models drafted: a row for each version of a prompt and each model. */
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { Problem } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";

type Row = Answer<"drafting_yield">[number];

const FAULTS = ["draft_malformed", "draft_half_bilingual", "draft_cut_off", "draft_refused"] as const;
const COUNTS = ["requests", "failed", "candidates", "unchanged", "refined", "unwritten", "discarded"] as const;
const COSTS = ["cost", "perUsed"] as const;

export function DraftingYield({ slug }: { slug: string }) {
  const { t } = useTranslation("prompts");
  const read = useRead("drafting_yield", { path: { b: slug } });
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />;
  if (!read.data || read.data.length === 0) return null;
  const hasCost = read.data.some(({ cost }) => cost !== null);
  const numbers = [...COUNTS, ...(hasCost ? COSTS : [])].map((name) => ({ number: t(`yield.${name}`) }));
  return (
    <section data-testid="drafting-yield">
      <h2>{t("yield.title")}</h2>
      <p className="tiny">{t("yield.lead")}</p>
      <WideTable label={t("yield.title")}>
        <table className="table">
          <TableHead columns={[t("yield.prompt"), t("yield.model"), ...numbers]} />
          <tbody>
            {read.data.map((row) => (
              <YieldRow key={`${row.prompt} ${row.language} ${row.model}`} row={row} hasCost={hasCost} />
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}

function YieldRow({ row, hasCost }: { row: Row; hasCost: boolean }) {
  const { t } = useTranslation("prompts");
  const formats = useFormat();
  const summed = (counts: Readonly<Record<string, number>>, name: (code: string) => string) => {
    const entries = Object.entries(counts);
    const n = entries.reduce((sum, [, count]) => sum + count, 0);
    const list = formats.list(entries.map(([code, count]) => t("yield.entry", { name: name(code), n: count })));
    return n === 0 ? "0" : t("yield.sums", { n, list });
  };
  const faultName = (code: string) => t(`yield.fault.${FAULTS.find((one) => one === code) ?? "other"}`);
  const reasonName = (code: string) => t(`kinds:concepts.drafts.discardReason.${code}`, { defaultValue: code });
  const used = row.unchanged + row.refined;
  const money = (value: string | null) => (value === null ? "–" : `${value} ${row.currency ?? ""}`);
  return (
    <tr data-testid="yield-row">
      <th scope="row">
        {row.prompt} · {row.language}
      </th>
      <td className="mono">{row.model}</td>
      <td className="number">{row.requests}</td>
      <td className="number">{summed(row.failed, faultName)}</td>
      <td className="number">{row.candidates}</td>
      <td className="number">{row.unchanged}</td>
      <td className="number">{row.changed_percent === null ? row.refined : t("yield.changed", { n: row.refined, percent: row.changed_percent })}</td>
      <td className="number">{row.unwritten}</td>
      <td className="number">{summed(row.discarded, reasonName)}</td>
      {hasCost && (
        <>
          <td className="number">{money(row.cost)}</td>
          <td className="number">{money(row.cost !== null && used > 0 ? (Number(row.cost) / used).toPrecision(2) : null)}</td>
        </>
      )}
    </tr>
  );
}
