/** One import: its progress, and the outcome of each row. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import type { Import, ImportRow } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { TEAM_TRACKS } from "@/item/desk";
import { useTracksOfKinds } from "@/kinds/useTrackKinds";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { Problem } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { useFilters } from "@/ui/useFilters";
import { WaitReason } from "@/ui/WaitReason";
import { WideTable } from "@/ui/WideTable";
import { reportActions } from "./actions";
import { isUnfinished, OUTCOMES, statusOf, TONES, type Outcome } from "./outcomes";
import { useRowSentences } from "./sentences";
import styles from "./imports.module.css";

const POLL_MS = 1_500;

export function ImportPage() {
  const id = Number(useParams().importId);
  const read = useRead(
    "import_show",
    { path: { id } },
    { fresh: true, refetchInterval: (answer) => (answer !== undefined && isUnfinished(answer as Import) ? POLL_MS : false) },
  );
  return <Loaded of={read}>{(data) => <Report key={data.id} of={data} />}</Loaded>;
}

function Report({ of }: { of: Import }) {
  const { t } = useTranslation("imports");
  const slug = useSlug();
  const format = useFormat();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const filters = useFilters({ replace: true });
  const outcome = filters.oneOf("outcome", OUTCOMES);
  useActions(reportActions, { filter: (one) => filters.set({ outcome: one ?? undefined }), toList: () => void navigate(`/b/${slug}/imports`) });
  const done = OUTCOMES.reduce((sum, one) => sum + of.counts[one], 0);
  const status = statusOf(of);
  useEffect(() => {
    // The report grows with every block of rows that is read.
    void queries.invalidateQueries({ queryKey: ["import_rows"] });
  }, [queries, done, status]);

  return (
    <Page
      title={of.name}
      lead={
        <>
          {t(`ui:kind.${of.kind}`)} · {t(`format.${of.format}`)} · {t(`target.${of.target}`)} · {of.team !== null && <>{of.team.name} · </>} {format.bytes(of.bytes)} · {of.created_by.name},{" "}
          <Time at={of.created_at} /> ·{" "}
          <Link to={`/b/${slug}/imports`} className={styles.importLink}>
            {t("toList")}
          </Link>
        </>
      }
    >
      <section className={`card ${styles.importProgress}`} aria-label={t("progress")} data-testid="import-progress" data-status={status}>
        <p aria-live="polite">
          <b className="number">
            {status === "waiting" || status === "waitingForSpace" || status === "counting"
              ? t(`status.${status}`)
              : t("read", { done: format.number(done), rows: format.number(of.counts.rows) })}
          </b>
        </p>
        {status === "reading" && <Meter value={done} of={of.counts.rows} label={t("progress")} />}
        <WaitReason job={of.job} />
        {status === "failed" && of.job !== null && (
          <Problem error={{ code: of.job.error_code ?? "internal_error", params: of.job.error_params }} />
        )}
        {(status === "done" || status === "nothing") && <Next of={of} slug={slug} />}
        {of.reason !== "" && (
          <p className="dim">
            {t("form.reason")}: {of.reason}
          </p>
        )}
      </section>
      <ChoiceChips<Outcome | undefined>
        className={styles.importOutcomes}
        label={t("filter.label")}
        value={outcome}
        onChoose={(one) => filters.set({ outcome: one })}
        choices={[
          { value: undefined, text: t("filter.all"), count: done },
          ...OUTCOMES.map((one) => ({ value: one, text: t(`outcome.${one}`), count: of.counts[one], testId: `outcome-${one}` })),
        ]}
      />
      <Rows id={of.id} kind={of.kind} slug={slug} outcome={outcome} open={isUnfinished(of)} />
    </Page>
  );
}

/** The next step, once a file was read. */
function Next({ of, slug }: { of: Import; slug: string }) {
  const { t } = useTranslation("imports");
  const { made, drafted, refused } = of.counts;
  const isOfTeams = TEAM_TRACKS.includes(useTracksOfKinds(slug).get(of.kind) ?? "package");
  return (
    <>
      {made > 0 && (
        <Notice tone="good">
          {isOfTeams ? t("next.madeForTeams") : t("next.made")}<Gap />
          {isOfTeams ? (
            <Link to={`/b/${slug}/team?kind=${of.kind}`}>{t("next.team")}</Link>
          ) : (
            <Link to={`/b/${slug}/packages?state=handed_over`}>{t("next.packages")}</Link>
          )}
        </Notice>
      )}
      {drafted > 0 && (
        <Notice tone="good">
          {t("next.drafted")}<Gap /><Link to={`/b/${slug}/packages?build=1`}>{t("next.build")}</Link>
        </Notice>
      )}
      {refused > 0 && (
        <Notice tone="warn">
          {statusOf(of) === "nothing" && (
            <>
              <b>{t("next.none")}</b>
              <Gap />
            </>
          )}
          {t("next.refused")}
        </Notice>
      )}
      {made + drafted + refused === 0 && <Notice>{t("next.nothing")}</Notice>}
    </>
  );
}

function Rows({ id, kind, slug, outcome, open }: { id: number; kind: string; slug: string; outcome: Outcome | undefined; open: boolean }) {
  const { t } = useTranslation("imports");
  const list = useList("import_rows", { path: { id }, query: { outcome } });
  return (
    <PagedList
      of={list}
      empty={!open && <Empty title={t(outcome === undefined ? "rows.none" : "rows.noneSuch")}>{t("rows.noneText")}</Empty>}
    >
      {(rows) => (
        <WideTable label={t("rows.title")}>
          <table className={`table ${styles.importRows}`} data-testid="import-rows">
            <TableHead
              columns={[{ number: t("column.line") }, t("column.label"), t("column.outcome"), t("column.item"), t("column.why")]}
            />
            <tbody>
              {rows.map((row) => (
                <Row key={row.line} row={row} kind={kind} slug={slug} />
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </PagedList>
  );
}

function Row({ row, kind, slug }: { row: ImportRow; kind: string; slug: string }) {
  const { t } = useTranslation("imports");
  const format = useFormat();
  const [why, ...more] = useRowSentences(kind)(row);
  return (
    <tr data-outcome={row.outcome} data-code={row.code ?? undefined}>
      <td className="number">{format.number(row.line)}</td>
      <td className={styles.importLabel}>{row.label === "" ? <span className="faint">—</span> : row.label}</td>
      <td>
        <Chip tone={TONES[row.outcome]}>{t(`outcome.${row.outcome}`)}</Chip>
      </td>
      <td>{row.item === null ? <span className="faint">—</span> : <Link to={`/b/${slug}/items/${row.item.id}`}>{row.item.label}</Link>}</td>
      <td className={styles.importWhy}>
        {why}
        {more.length > 0 && (
          <ul>
            {more.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  );
}
