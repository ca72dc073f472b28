/** A release's leaderboard: scores with intervals, by group, compared, and for download. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import { Charts, Downloads } from "@/board/Charts";
import { useFormat } from "@/i18n/format";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { useFilters } from "@/ui/useFilters";
import { boardActions } from "./actions";
import { after, metricOf, scopeOf, SCOPES, type Leaderboard } from "./board";
import { BoardTable } from "./BoardTable";
import { Comparison } from "./Comparison";
import { Groups } from "./Groups";
import { ListedSubmissions } from "./ListedSubmissions";
import { Profiles } from "./Profiles";
import styles from "./leaderboard.module.css";

const POLL_MS = 3_000;
/** A release that was just frozen gets its runs within a minute. */
const POLL_EMPTY_MS = 10_000;

/** Whether scores are still to come. */
function isMoving(answer: unknown): boolean {
  const systems = (answer as Leaderboard | undefined)?.systems ?? [];
  return systems.some(({ status }) => status === "scoring" || status === "waiting" || status === "partial");
}

/** Whether no system is tested yet on a release with pictures to search. */
function isEmpty(answer: unknown): boolean {
  const board = answer as Leaderboard | undefined;
  return board?.systems.length === 0 && board.gallery.images > 0;
}

/** When each system was scored; changes when one is scored again. */
function scoredAt(answer: unknown): string {
  return ((answer as Leaderboard | undefined)?.systems ?? []).map((system) => system.computed_at ?? "").join();
}

export function LeaderboardPage() {
  const { t } = useTranslation("leaderboard");
  const id = Number(useParams().releaseId);
  const slug = useSlug();
  const may = useMay(slug);
  const filters = useFilters({ replace: true });
  const release = useRead("release_show", { path: { id } }, { enabled: may("release_show") });
  // The scores when rescoring was requested; the page polls until they change.
  const [before, setBefore] = useState<string | null>(null);
  const board = useRead(
    "leaderboard_show",
    { path: { id }, query: { kind: filters.get("kind") } },
    { refetchInterval: (answer) => (isMoving(answer) || scoredAt(answer) === before ? POLL_MS : isEmpty(answer) ? POLL_EMPTY_MS : false) },
  );
  const again = useWrite("release_score");
  const label = release.data?.label ?? "";
  // A withdrawn release has no leaderboard and takes no new runs.
  const isThere = board.data !== undefined;
  const score =
    may("release_score") && (board.data?.systems.length ?? 0) > 0 && board.data?.suite !== null
      ? () => {
          const previous = scoredAt(board.data);
          again.mutate(
            { path: { id } },
            {
              onSuccess: () => {
                setBefore(previous);
                toasts.show(t("scoringAgain"));
              },
            },
          );
        }
      : null;
  return (
    <Page
      title={t("title", { label })}
      lead={
        may("release_show") && (
          <Link to={`/b/${slug}/releases/${id}`} data-testid="to-release">
            {t("toRelease", { label })}
          </Link>
        )
      }
      actions={
        <>
          {board.data && <Downloads charts={board.data.charts} />}
          {score !== null && (
            <Button busy={again.isPending} onClick={score} data-testid="score-again">
              {t("action.score")}
            </Button>
          )}
          {isThere && may("submission_list") && (
            <ButtonLink to={`/b/${slug}/releases/${id}/submissions?kind=${board.data.kind}`} data-testid="to-submissions">
              {t("submissions:board.link")}
            </ButtonLink>
          )}
          {isThere && board.data.suite !== null && may("run_start") && (
            <ButtonLink look="primary" to={`/b/${slug}/runs?start=1&release=${id}`} data-testid="start-run">
              {t("startRun")}
            </ButtonLink>
          )}
        </>
      }
    >
      {again.error && <Problem error={again.error} />}
      <Loaded of={board}>
        {(data) => (
          <>
            {data.kinds.length > 1 && (
              <ChoiceChips
                label={t("kinds")}
                value={data.kind}
                onChoose={(kind) => filters.set({ kind, profile: undefined, tag: undefined })}
                choices={data.kinds.map((kind) => ({ value: kind, text: t(`ui:kind.${kind}`), testId: `board-${kind}` }))}
              />
            )}
            <Board board={data} release={id} score={score} />
            <ListedSubmissions board={data} release={id} />
            {data.submissions.length > 0 && may("leaderboard_profile") && <Profiles release={id} kind={data.kind} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Board({ board, release, score }: { board: Leaderboard; release: number; score: (() => void) | null }) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  const filters = useFilters({ replace: true });
  const scope = scopeOf(filters.get("scope"));
  const metric = metricOf(board, filters.get("metric"));
  const change = filters.set;
  useActions(boardActions, {
    turn: board.scopes.length > 1 ? () => change({ scope: after(SCOPES, scope) }) : null,
    metric: board.metrics.length > 1 ? () => change({ metric: after(board.metrics, metric) }) : null,
    score,
  });
  const { gallery, systems } = board;
  if (!board.has_profiles) return <Empty title={t("noSuite")}>{t("noSuiteText")}</Empty>;
  // Questions have no table but those of runs and submissions.
  if (board.suite === null) return board.submissions.length > 0 ? null : <Empty title={t("noResults")}>{t("noResultsText")}</Empty>;
  if (gallery.images === 0) return <Empty title={t("none")}>{t("noneText")}</Empty>;
  const values = { images: gallery.images, texts: gallery.texts };
  return (
    <div className={styles.board}>
      <p data-testid="gallery">
        {t("gallery", { ...values, split: t(`split.${gallery.split}`, { defaultValue: gallery.split }) })}<Gap />
        <span className="dim">{t("chance", { chance: format.percent(1 / gallery.images, 2) })}</span>
      </p>
      {systems.length === 0 ? (
        <Empty title={t("noSystems")}>{t("noSystemsText")}</Empty>
      ) : (
        <>
          <BoardTable board={board} release={release} sort={{ scope, metric }} onSort={change} />
          <div className={styles.boardSwitches} data-testid="switches">
            <ChoiceChips
              label={t("direction")}
              value={scope}
              choices={SCOPES.map((one) => ({ value: one, text: t(`scope.${one}`), testId: `switch-${one}` }))}
              onChoose={(one) => change({ scope: one })}
            />
            <ChoiceChips
              label={t("metric")}
              value={metric}
              choices={board.metrics.map((one) => ({ value: one, text: one, testId: `switch-${one}` }))}
              onChoose={(one) => change({ metric: one })}
            />
            <span className="tiny">{t("switchText")}</span>
          </div>
          <Groups
            board={board}
            release={release}
            scope={scope}
            metric={metric}
            by={filters.get("by")}
            order={filters.get("order")}
            onChange={change}
          />
          <Comparison
            board={board}
            release={release}
            scope={scope}
            metric={metric}
            one={filters.number("one") ?? null}
            other={filters.number("other") ?? null}
            onChange={change}
          />
          <Charts charts={board.charts} stamp={systems.map((system) => system.scoring ?? 0).join("-")} />
        </>
      )}
    </div>
  );
}
