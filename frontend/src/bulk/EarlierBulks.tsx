/** Earlier bulk actions of a benchmark: what was done, by whom, with what result; undo where it is still possible. */
import { useTranslation } from "react-i18next";
import { useList, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { PagedList } from "@/ui/PagedList";
import { Problem, useErrorText } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { isWorking } from "./actions";
import { Given } from "./Given";

type Row = Answer<"bulk_list">["results"][number];

const TONES: Readonly<Record<string, Tone>> = { done: "good", stopped: "bad", running: "accent", undoing: "accent" };
const POLL_MS = 1_500;

export function EarlierBulks({ slug }: { slug: string }) {
  const { t } = useTranslation("bulk");
  const list = useList("bulk_list", { path: { b: slug } }, { refetchInterval: (rows) => (rows.some(isWorking) ? POLL_MS : false) });
  return (
    <PagedList of={list} empty={<Empty title={t("earlier.empty.title")}>{t("earlier.empty.text")}</Empty>}>
      {(rows) => (
        <WideTable label={t("earlier.title")}>
          <table className="table" data-testid="bulks">
            <TableHead
              columns={[
                t("earlier.action"),
                t("earlier.result"),
                t("earlier.state"),
                t("earlier.by"),
                t("earlier.when"),
                { number: <span className="visually-hidden">{t("undo")}</span> },
              ]}
            />
            <tbody>
              {rows.map((row) => (
                <BulkLine key={row.id} of={row} slug={slug} />
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </PagedList>
  );
}

function BulkLine({ of, slug }: { of: Row; slug: string }) {
  const { t } = useTranslation("bulk");
  const errorText = useErrorText();
  const undo = useWrite("bulk_undo");
  return (
    <tr data-testid={`bulk-${of.id}`} data-state={of.state}>
      <th scope="row">
        {t(`action.${of.action}.title`)}
        <Given of={of} slug={slug} />
      </th>
      <td>
        <Result of={of} />
        {of.error_code !== "" && <p className="dim">{errorText({ code: of.error_code })}</p>}
        {undo.error && <Problem error={undo.error} />}
      </td>
      <td>
        <Chip tone={TONES[of.state]}>{t(`state.${of.state}`)}</Chip>
      </td>
      <td>{of.applied_by?.name}</td>
      <td className="dim">{of.applied_at !== null && <Time at={of.applied_at} />}</td>
      <td className="number">
        {of.available_actions.includes("bulk_undo") && of.counts.done > 0 && (
          <Button small busy={undo.isPending} onClick={() => undo.mutate({ path: { id: of.id } })} data-testid={`bulk-${of.id}-undo`}>
            {t("undo")}
          </Button>
        )}
      </td>
    </tr>
  );
}

function Result({ of }: { of: Row }) {
  const { t } = useTranslation("bulk");
  const format = useFormat();
  const { done, undone, refused, kept, pending } = of.counts;
  const parts = [
    [done, "done"],
    [undone, "undone"],
    [kept, "kept"],
    [refused, "refused"],
    [pending, "pending"],
  ] as const;
  return <>{format.list(parts.filter(([count]) => count > 0).map(([count, name]) => t(`earlier.${name}`, { count, number: format.number(count) })))}</>;
}
