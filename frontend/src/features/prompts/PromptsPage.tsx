/** Every prompt: the versions that ship, in the languages that they exist in, and the benchmark's own. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { PromptRow } from "@/api/types";
import { LANGUAGE_NAMES, isLanguage } from "@/i18n/languages";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { useFilters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { DraftingYield } from "./DraftingYield";
import { promptPath, versionsOf, type PromptVersion } from "./versions";
import styles from "./prompts.module.css";

const ORIGINS = ["paper", "code", "ours", "own"] as const;
type Origin = (typeof ORIGINS)[number];

function isFrom(row: PromptRow, from: Origin | undefined): boolean {
  if (from === undefined) return true;
  return from === "own" ? row.is_own : row.reading === from && !row.is_own;
}

export function PromptsPage() {
  const { t } = useTranslation("prompts");
  const slug = useSlug();
  const filters = useFilters();
  const from = filters.oneOf("from", ORIGINS);
  const list = useRead("prompt_list", { path: { b: slug } });
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Loaded of={list}>
        {(rows) => (
          <>
            <ChoiceChips<Origin | undefined>
              className={styles.filters}
              label={t("from")}
              value={from}
              onChoose={(one) => filters.set({ from: one })}
              choices={[
                { value: undefined, text: t("all"), count: versionsOf(rows).length },
                ...ORIGINS.map((one) => ({
                  value: one,
                  text: t(`reading.${one}`),
                  count: versionsOf(rows.filter((row) => isFrom(row, one))).length,
                  testId: `from-${one}`,
                })),
              ]}
            />
            <WideTable label={t("title")}>
              <table className={`table ${styles.prompts}`} data-testid="prompts">
                <TableHead columns={[t("name"), { number: t("version") }, t("from"), t("languages"), t("source")]} />
                <tbody>
                  {versionsOf(rows.filter((row) => isFrom(row, from))).map((version) => (
                    <Version key={`${version.name} ${String(version.no)}`} slug={slug} version={version} />
                  ))}
                </tbody>
              </table>
            </WideTable>
            <DraftingYield slug={slug} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Version({ slug, version }: { slug: string; version: PromptVersion }) {
  const { t } = useTranslation("prompts");
  const inReadersLanguage = useLocalised();
  const [first] = version.rows;
  if (first === undefined) return null;
  return (
    <tr data-testid={`prompt-${version.name}-${String(version.no)}`}>
      <th scope="row" className="mono">
        {version.name}
      </th>
      <td className="number">{version.no}</td>
      <td>
        <OriginChip row={first} />
      </td>
      <td className={styles.languages}>
        {version.rows.map((row) => (
          <Link key={row.language} to={promptPath(slug, row)} lang={row.language}>
            {isLanguage(row.language) ? LANGUAGE_NAMES[row.language] : row.language}
          </Link>
        ))}
      </td>
      <td className={styles.source}>
        {first.is_own ? t("basedOn", { no: first.base_no }) : inReadersLanguage(first.source)}
      </td>
    </tr>
  );
}

/** Where a version is from. */
export function OriginChip({ row }: { row: PromptRow }) {
  const { t } = useTranslation("prompts");
  if (row.is_own) return <Chip tone="accent">{t("reading.own")}</Chip>;
  return <Chip tone={row.reading === "paper" ? "good" : undefined}>{t(`reading.${row.reading}`)}</Chip>;
}
