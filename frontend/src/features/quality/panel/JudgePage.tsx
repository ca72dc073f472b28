/** Judging items in panels: one after the other, without learning what the others found. */
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { PeerPool } from "@/api/types";
import { boardOf } from "@/item/desk";
import { useTrackKinds } from "@/kinds/useTrackKinds";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { useFilters } from "@/ui/useFilters";
import { startActions } from "./actions";
import { JudgeItem } from "./JudgeItem";
import { useJudging, type Judging } from "./useJudging";

export function JudgePage() {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const filters = useFilters({ replace: true });
  const benchmark = useBenchmark(slug);
  const kinds = useTrackKinds(slug, "panel");
  const kind = filters.oneOf("kind", kinds) ?? kinds[0];
  const pool = useRead(
    "peer_pool_show",
    { path: { b: slug }, query: { kind: kind ?? "" } },
    { fresh: true, enabled: kind !== undefined, refetchInterval: 30_000 },
  );
  return (
    <Page title={t("panel.title")} lead={t("panel.lead")}>
      {kind === undefined ? (
        <Loaded of={benchmark}>{() => <Empty title={t("team:panel.none.title")}>{t("team:panel.none.text")}</Empty>}</Loaded>
      ) : (
        <Loaded of={pool}>{(data) => <JudgingOf key={kind} slug={slug} kind={kind} pool={data} />}</Loaded>
      )}
    </Page>
  );
}

function JudgingOf({ slug, kind, pool }: { slug: string; kind: string; pool: PeerPool }) {
  const navigate = useNavigate();
  const judging = useJudging({ slug, kind, pool });
  const board = boardOf(slug, "panel", { kind });
  const leave = () => void navigate(board);
  const { current } = judging;
  return current ? (
    <JudgeItem key={`${current.id}-${current.revision_no}`} item={current} judging={judging} waiting={pool.free} onLeave={leave} />
  ) : (
    <NoItem pool={pool} judging={judging} board={board} onLeave={leave} />
  );
}

/** No item is open: how many wait, and how to start. */
function NoItem({ pool, judging, board, onLeave }: { pool: PeerPool; judging: Judging; board: string; onLeave: () => void }) {
  const { t } = useTranslation("quality");
  const { error, refusal, isClaiming, start } = judging;
  const isEmpty = pool.free === 0 || refusal?.code === "nothing_left" || refusal?.code === "pool_empty";
  useActions(startActions, { start: isClaiming || isEmpty ? null : start, leave: onLeave });
  return (
    <>
      {error && <Problem error={error} />}
      {refusal && !isEmpty && <Problem error={refusal} />}
      <Empty
        title={isEmpty ? t("panel.empty.title") : t("panel.waiting", { count: pool.free })}
        actions={
          <>
            {!isEmpty && (
              <Button look="primary" keys="Enter" busy={isClaiming} onClick={start} data-testid="start">
                {t("validate.start")}
              </Button>
            )}
            <ButtonLink to={board} data-testid="to-board">
              {t("panel.leave")}
            </ButtonLink>
          </>
        }
      >
        {isEmpty ? (pool.held > 0 ? t("panel.empty.held", { count: pool.held }) : t("panel.empty.text")) : t("panel.waitingText")}
      </Empty>
    </>
  );
}
