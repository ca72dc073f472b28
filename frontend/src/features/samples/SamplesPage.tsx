/** The entries of a scored run over an item set: what came of each, what was read in the reply, and the right answer. */
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import type { PredictionFilters, PredictionRow } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Manner } from "@/run/Manner";
import { useRowName } from "@/run/rowName";
import { SetName } from "@/run/SetName";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { ChoiceChips, ToggleChip } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { TableHead } from "@/ui/TableHead";
import { useFilters, type Filters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { isNarrowed, viewIn, type View } from "./filters";
import { Outcome } from "./Outcome";
import { useRule } from "./useRule";
import styles from "./samples.module.css";

const NO_FILTER = { outcome: undefined, tag: undefined, value: undefined, against: undefined, than: undefined, overridden: undefined };

export function SamplesPage() {
  const { t } = useTranslation("samples");
  const id = Number(useParams().runId);
  const slug = useSlug();
  const facts = useRead("prediction_filters", { path: { id } });
  return (
    <Page
      title={t("title")}
      lead={
        facts.data && (
          <>
            <Link to={`/b/${slug}/runs/${id}`}>{facts.data.system.name}</Link>
            <span className={styles.manner}>
              <Link to={`/b/${slug}/sets/${facts.data.set.id}`} data-testid="to-set">
                <SetName of={facts.data.set} />
              </Link>
            </span>
            <span className={`tiny ${styles.manner}`}>
              <Manner of={facts.data.manner} />
            </span>
          </>
        )
      }
    >
      <Loaded of={facts}>{(data) => <Samples facts={data} slug={slug} />}</Loaded>
    </Page>
  );
}

function Samples({ facts, slug }: { facts: PredictionFilters; slug: string }) {
  const { t } = useTranslation("samples");
  const filters = useFilters({ replace: true });
  const view = viewIn(filters.search);
  const list = useList("prediction_list", { path: { id: facts.run }, query: { ...view } });
  return (
    <>
      <Outcomes facts={facts} view={view} onChange={filters.set} />
      <div className="filters">
        <Tags facts={facts} view={view} onChange={filters.set} />
        <Comparison facts={facts} view={view} onChange={filters.set} />
        {isNarrowed(view) && (
          <Button look="plain" onClick={() => filters.set(NO_FILTER, { replace: false })} data-testid="filter-none">
            {t("noFilter")}
          </Button>
        )}
      </div>
      <PagedList of={list} empty={<Empty title={t("none")}>{t("noneSo")}</Empty>}>
        {(rows) => <Rows rows={rows} base={`/b/${slug}/runs/${facts.run}/samples`} search={filters.search} />}
      </PagedList>
    </>
  );
}

interface FilterProps {
  facts: PredictionFilters;
  view: View;
  onChange: Filters["set"];
}

function Outcomes({ facts, view, onChange }: FilterProps) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  return (
    <ChoiceChips<View["outcome"]>
      label={t("outcomes")}
      className={styles.outcomes}
      value={view.outcome}
      choices={[
        { value: undefined, text: t("all") },
        ...facts.outcomes.map(({ outcome, n }) => ({ value: outcome, text: t(`outcome.${outcome}`), count: n, testId: `outcome-${outcome}` })),
      ]}
      onChoose={(outcome) => onChange({ outcome })}
    >
      {facts.overrides > 0 && (
        <ToggleChip
          on={view.overridden === true}
          onToggle={() => onChange({ overridden: view.overridden === true ? undefined : "true" })}
          testId="outcome-overridden"
        >
          {t("overridden")} <span className="number">{format.number(facts.overrides)}</span>
        </ToggleChip>
      )}
    </ChoiceChips>
  );
}

function Tags({ facts, view, onChange }: FilterProps) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const values = facts.tags.find((one) => one.name === view.tag)?.values ?? [];
  if (facts.tags.length === 0) return null;
  return (
    <>
      <SelectField
        label={t("tag")}
        value={view.tag ?? ""}
        onChange={(event) => {
          const first = facts.tags.find((one) => one.name === event.target.value)?.values[0]?.value;
          onChange({ tag: event.target.value, value: first });
        }}
        data-testid="sample-tag"
      >
        <option value="">{t("anyTag")}</option>
        {facts.tags.map(({ name }) => (
          <option key={name} value={name}>
            {t(`tags.${name}`, { defaultValue: name })}
          </option>
        ))}
      </SelectField>
      {values.length > 0 && (
        <SelectField label={t("value")} value={view.value} onChange={(event) => onChange({ value: event.target.value })} data-testid="sample-value">
          {values.map(({ value, n }) => (
            <option key={value} value={value}>
              {t("counted", { value, n: format.number(n) })}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}

function Comparison({ facts, view, onChange }: FilterProps) {
  const { t } = useTranslation("samples");
  const named = ({ run, system, manner }: PredictionFilters["runs"][number]) => ({ key: `run-${run}`, system: system.name, manner, crew: "" });
  const nameOf = useRowName([facts, ...facts.runs].map(named));
  if (facts.runs.length === 0) return null;
  return (
    <>
      <SelectField label={t("against")} value={view.against ?? ""} onChange={(event) => onChange({ against: event.target.value })} data-testid="sample-against">
        <option value="">{t("noRun")}</option>
        {facts.runs.map((row) => (
          <option key={row.run} value={row.run}>
            {nameOf(named(row))}
          </option>
        ))}
      </SelectField>
      {view.against !== undefined && (
        <SelectField label={t("than")} value={view.than} onChange={(event) => onChange({ than: event.target.value })} data-testid="sample-than">
          <option value="better">{t("better")}</option>
          <option value="worse">{t("worse")}</option>
        </SelectField>
      )}
    </>
  );
}

function Rows({ rows, base, search }: { rows: readonly PredictionRow[]; base: string; search: URLSearchParams }) {
  const { t } = useTranslation("samples");
  const rule = useRule();
  const query = search.toString();
  return (
    <WideTable label={t("title")}>
      <table className={`table ${styles.table}`} data-testid="samples">
        <TableHead columns={[t("column.question"), t("column.outcome"), t("column.read"), t("column.right"), t("column.rule")]} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.no} data-testid={`sample-${row.key}`}>
              <td className={styles.question}>
                <Link to={`${base}/${row.no}${query === "" ? "" : `?${query}`}`}>
                  <bdi>{row.text === "" ? row.key : row.text}</bdi>
                </Link>
                <span className="tiny">{row.key}</span>
              </td>
              <td>
                <span className={styles.chips}>
                  <Outcome of={row.outcome} />
                  {row.is_overridden && <Corrected of={row} />}
                </span>
              </td>
              <td className={styles.read}>{row.extracted === "" ? <span className="faint">–</span> : <bdi>{row.extracted}</bdi>}</td>
              <td className={styles.read}>
                <bdi>{row.right}</bdi>
              </td>
              <td className="tiny">{rule(row.rule)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

/** What became of an entry whose reply a person read. */
function Corrected({ of }: { of: PredictionRow }) {
  const { t } = useTranslation("samples");
  return <Chip tone="accent">{of.corrected === null ? t("correctedSoon") : t("corrected", { outcome: t(`outcome.${of.corrected.outcome}`) })}</Chip>;
}
