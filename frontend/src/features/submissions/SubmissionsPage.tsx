/** Predictions against a release: what is asked, handing a file in, and what became of those before. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Asked, Submission } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Answered } from "@/ui/Answered";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { ListFoot } from "@/ui/ListFoot";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { NewSubmission } from "./NewSubmission";
import { isOpen, standingOf, TONES } from "./standing";
import "./submissions.css";

const POLL_MS = 1_500;

export function SubmissionsPage() {
  const { t } = useTranslation("submissions");
  const id = Number(useParams().releaseId);
  const slug = useSlug();
  const may = useMay(slug);
  const list = useList("submission_list", { path: { id } });
  const queries = useQueryClient();
  const waits = list.rows.some(isOpen);
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: ["submission_list"] }), POLL_MS);
    return () => clearInterval(timer);
  }, [queries, waits]);
  const label = list.data?.pages[0]?.asked.release.label ?? "";
  return (
    <Page
      title={t("title", { label })}
      lead={
        <>
          {may("release_show") && <Link to={`/b/${slug}/releases/${id}`}>{t("toRelease", { label })}</Link>}
          {may("release_show") && may("leaderboard_show") && " · "}
          {may("leaderboard_show") && <Link to={`/b/${slug}/releases/${id}/leaderboard`}>{t("toLeaderboard")}</Link>}
        </>
      }
    >
      <Answered of={list}>
        {(data) => {
          const asked = data.pages[0]?.asked;
          return (
            asked !== undefined && (
              <>
                <What asked={asked} />
                {asked.open && asked.day.limit > 0 && may("submission_create") && <NewSubmission slug={slug} asked={asked} />}
                {list.rows.length === 0 ? (
                  <Empty title={t("empty.title")}>{t("empty.text")}</Empty>
                ) : (
                  <>
                    <Table rows={list.rows} slug={slug} release={id} />
                    <ListFoot list={list} />
                  </>
                )}
              </>
            )
          );
        }}
      </Answered>
    </Page>
  );
}

/** What a file is to hold, and how many are taken. */
function What({ asked }: { asked: Asked }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const { release, day } = asked;
  if (!asked.open) return <Notice tone="warn">{t(asked.expected > 0 ? "closed.state" : "closed.kind")}</Notice>;
  const splits = format.list(asked.splits.map((split) => t(`split.${split}`, { defaultValue: split })));
  return (
    <section className="submission-what" aria-labelledby="submission-what">
      <h2 id="submission-what">{t("what.title")}</h2>
      <p data-testid="submission-asked">{t("what.asked", { count: asked.expected, number: format.number(asked.expected), splits })}</p>
      {asked.withheld && <p className="dim">{t("what.withheld")}</p>}
      <p>{t(`what.${release.kind}`, { defaultValue: "" })}</p>
      <p>
        <a href={`/api/v1/releases/${release.id}/submissions/template`} download data-testid="submission-template">
          {t("what.template")}
        </a>{" "}
        <span className="dim">{t("what.templateText")}</span>
      </p>
      <p className="dim" data-testid="submission-day">
        {t("what.day", { used: format.number(day.used), limit: format.number(day.limit) })}{" "}
        {day.refused > 0 && t("what.refused", { refused: format.number(day.refused), limit: format.number(day.refused_limit) })}{" "}
        {t("what.until", { at: format.exact(day.until) })}
      </p>
    </section>
  );
}

function Table({ rows, slug, release }: { rows: readonly Submission[]; slug: string; release: number }) {
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
            const standing = standingOf(row);
            return (
              <tr key={row.id} data-testid={`submission-${row.id}`} data-standing={standing}>
                <th scope="row" className="submission-name">
                  <Link to={`/b/${slug}/releases/${release}/submissions/${row.id}`}>{row.system}</Link>
                </th>
                <td>
                  <Chip tone={TONES[standing]}>{t(`standing.${standing}`)}</Chip>
                </td>
                <td>{row.listed ? t("listed") : <span className="faint">—</span>}</td>
                <td className="submission-profile">{row.profile}</td>
                <td className="submission-name">
                  {row.name} <span className="dim">{format.bytes(row.bytes)}</span>
                </td>
                <td>{row.person.name}</td>
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
