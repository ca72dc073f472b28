/** Submissions to a release: the requirements, the form, and the list of earlier ones. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import type { SubmissionRequirements, Submission } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { ListFoot } from "@/ui/ListFoot";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { useFilters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { AddressNeeded } from "./AddressNeeded";
import { NewSubmission } from "./NewSubmission";
import { useSubmissionPlaces } from "./places";
import { isUnfinished, statusOf, TONES } from "./status";
import styles from "./submissions.module.css";

const POLL_MS = 1_500;

export function SubmissionsPage() {
  const { t } = useTranslation("submissions");
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const isPageOpen = () => isOpen.current;
  const id = Number(useParams().releaseId);
  const slug = useSlug();
  const may = useMay(slug);
  const places = useSubmissionPlaces();
  const filters = useFilters({ replace: true });
  const list = useList("submission_list", { path: { id }, query: { kind: filters.get("kind") } });
  const queries = useQueryClient();
  const waits = list.rows.some(isUnfinished);
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: ["submission_list"] }), POLL_MS);
    return () => clearInterval(timer);
  }, [queries, waits]);
  const label = list.data?.pages[0]?.requirements.release.label ?? "";
  return (
    <Page
      title={label === "" ? t("open.title") : t("title", { label })}
      lead={
        <>
          {places.isOutside && <Link to={`/submit/${slug}`}>{t("outside.back")}</Link>}
          {may("release_show") && <Link to={`/b/${slug}/releases/${id}`}>{t("toRelease", { label })}</Link>}
          {may("release_show") && may("leaderboard_show") && " · "}
          {may("leaderboard_show") && <Link to={`/b/${slug}/releases/${id}/leaderboard`}>{t("toLeaderboard")}</Link>}
        </>
      }
    >
      <Loaded of={list}>
        {(data) => {
          const requirements = data.pages[0]?.requirements;
          return (
            requirements !== undefined && (
              <>
                {requirements.release.kinds.length > 1 && (
                  <ChoiceChips
                    label={t("kinds")}
                    value={requirements.kind}
                    onChoose={(kind) => filters.set({ kind })}
                    choices={requirements.release.kinds.map((kind) => ({ value: kind, text: t(`ui:kind.${kind}`), testId: `submissions-${kind}` }))}
                  />
                )}
                <Requirements requirements={requirements} />
                {requirements.open && <AddressNeeded />}
                {requirements.open &&
                  places.mayCreate &&
                  (limitReached(requirements) === null ? (
                    <NewSubmission key={requirements.kind} requirements={requirements} isPageOpen={isPageOpen} />
                  ) : (
                    <UsedUp requirements={requirements} />
                  ))}
                {list.rows.length === 0 ? (
                  <Empty title={t("empty.title")}>{t("empty.text")}</Empty>
                ) : (
                  <>
                    <Table rows={list.rows} base={places.list(id)} />
                    <ListFoot list={list} />
                  </>
                )}
              </>
            )
          );
        }}
      </Loaded>
    </Page>
  );
}

/** What a file must contain, and how many submissions are allowed. */
function Requirements({ requirements }: { requirements: SubmissionRequirements }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const { release, day, total, crew } = requirements;
  if (!requirements.open) return <Notice tone="warn">{t(requirements.expected > 0 ? "closed.state" : "closed.kind")}</Notice>;
  const splits = format.list(requirements.splits.map((split) => t(`split.${split}`, { defaultValue: split })));
  return (
    <section className={styles.submissionWhat} aria-labelledby="submission-what">
      <h2 id="submission-what">{t("what.title")}</h2>
      <p data-testid="submission-requirements">{t("what.expected", { count: requirements.expected, number: format.number(requirements.expected), splits })}</p>
      {requirements.withheld && <p className="dim">{t("what.withheld")}</p>}
      <p>{t(`what.${requirements.kind}`, { defaultValue: "" })}</p>
      <p>
        <a href={`/api/v1/releases/${release.id}/submissions/template?kind=${requirements.kind}`} download data-testid="submission-template">
          {t("what.template")}
        </a>{" "}
        <span className="dim">{t("what.templateText")}</span>
      </p>
      <p className="dim" data-testid="submission-day">
        {crew !== "" && t("what.crew", { name: crew })}<Gap />
        {t("what.day", { used: format.number(day.used), limit: format.number(day.limit) })}<Gap />
        {t("what.total", { used: format.number(total.used), limit: format.number(total.limit) })}<Gap />
        {day.refused > 0 && t("what.refused", { refused: format.number(day.refused), limit: format.number(day.refused_limit) })}<Gap />
        {limitReached(requirements) === null && t("what.until", { at: format.exact(day.until) })}
      </p>
    </section>
  );
}

/** Which limit leaves no file for today, or none at all. */
function limitReached({ day, total }: SubmissionRequirements): "total" | "day" | "none" | null {
  if (day.limit === 0 || total.limit === 0) return "none";
  if (total.used >= total.limit) return "total";
  return day.used >= day.limit || day.refused >= day.refused_limit ? "day" : null;
}

function UsedUp({ requirements }: { requirements: SubmissionRequirements }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const reached = limitReached(requirements);
  return (
    <Notice tone="warn">
      <span data-testid="submission-used-up" data-limit={reached}>
        {t(`usedUp.${reached}`, { at: format.exact(requirements.day.until), limit: format.number(requirements.total.limit) })}
      </span>
    </Notice>
  );
}

function Table({ rows, base }: { rows: readonly Submission[]; base: string }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  return (
    <WideTable label={t("list")}>
      <table className="table submissions" data-testid="submissions">
        <TableHead
          columns={[
            t("column.system"),
            t("column.state"),
            t("column.board"),
            t("column.profile"),
            t("column.file"),
            t("column.by"),
            t("column.when"),
          ]}
        />
        <tbody>
          {rows.map((row) => {
            const status = statusOf(row);
            return (
              <tr key={row.id} data-testid={`submission-${row.id}`} data-status={status}>
                <th scope="row" className={styles.submissionName}>
                  <Link to={`${base}/${row.id}`}>{row.system}</Link>
                </th>
                <td>
                  <Chip tone={TONES[status]}>{t(`status.${status}`)}</Chip>
                </td>
                <td>{row.listed ? t("listed") : row.hidden_reason !== "" ? t("hide.mark") : <span className="faint">—</span>}</td>
                <td className={styles.submissionProfile} title={row.profile}>
                  {t(`profileName.${row.profile}`, { defaultValue: row.profile })}
                </td>
                <td className={styles.submissionName}>
                  {row.name} <span className="dim">{format.bytes(row.bytes)}</span>
                </td>
                <td>
                  {row.person.name}
                  {row.crew !== "" && <span className="dim"> · {row.crew}</span>}
                </td>
                <td className="dim">
                  <Time at={row.created_at} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </WideTable>
  );
}
