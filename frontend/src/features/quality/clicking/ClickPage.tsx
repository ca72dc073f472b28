/** Finding what others' texts mean: a text at a time, by a click on the picture. */
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { ClickingPool } from "@/api/types";
import { useClickKinds } from "@/kinds/useTrackKinds";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { useFilters } from "@/ui/useFilters";
import { clickStartActions } from "./actions";
import { ClickItem } from "./ClickItem";
import { useClicking, type ClickingWork } from "./useClicking";

export function ClickPage() {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const filters = useFilters({ replace: true });
  const benchmark = useBenchmark(slug);
  const kinds = useClickKinds(slug);
  const kind = filters.oneOf("kind", kinds) ?? kinds[0];
  const pool = useRead(
    "clicking_show",
    { path: { b: slug }, query: { kind: kind ?? "" } },
    { fresh: true, enabled: kind !== undefined, refetchInterval: 30_000 },
  );
  return (
    <Page title={t("click.title")} lead={pool.data?.item ? undefined : t("click.lead")}>
      {kind === undefined ? (
        <Loaded of={benchmark}>{() => <Empty title={t("click.none.title")}>{t("click.none.text")}</Empty>}</Loaded>
      ) : (
        <Loaded of={pool}>{(data) => <ClickingOf key={kind} slug={slug} kind={kind} pool={data} />}</Loaded>
      )}
    </Page>
  );
}

function ClickingOf({ slug, kind, pool }: { slug: string; kind: string; pool: ClickingPool }) {
  const navigate = useNavigate();
  const work = useClicking({ slug, kind, pool });
  const home = `/b/${slug}`;
  const leave = () => void navigate(home);
  return work.item ? <ClickItem key={work.item.id} item={work.item} work={work} onLeave={leave} /> : <NoItem pool={pool} work={work} home={home} onLeave={leave} />;
}

/** No picture is open: how many wait, and how to start. */
function NoItem({ pool, work, home, onLeave }: { pool: ClickingPool; work: ClickingWork; home: string; onLeave: () => void }) {
  const { t } = useTranslation("quality");
  const { error, refusal, isClaiming, isLost, isDone, start } = work;
  const isEmpty = pool.waiting === 0 || refusal?.code === "nothing_left" || refusal?.code === "pool_empty";
  useActions(clickStartActions, { start: isClaiming || isEmpty ? null : start, leave: onLeave });
  return (
    <>
      {isLost && (
        <Notice tone="warn">
          <span data-testid="seat-expired">{t("click.expired")}</span>
        </Notice>
      )}
      {error && <Problem error={error} />}
      {refusal && !isEmpty && <Problem error={refusal} />}
      {isDone && (
        <Notice tone="good">
          <span data-testid="click-done">{t("click.done")}</span>
        </Notice>
      )}
      <Empty
        title={isEmpty ? t("click.empty.title") : t("click.waiting", { count: pool.waiting })}
        actions={
          <>
            {!isEmpty && (
              <Button look="primary" keys="Enter" busy={isClaiming} onClick={start} data-testid="start">
                {t(isDone ? "click.next" : "validate.start")}
              </Button>
            )}
            <ButtonLink to={home} data-testid="to-home">
              {t("click.leave")}
            </ButtonLink>
          </>
        }
      >
        {t(isEmpty ? "click.empty.text" : "click.waitingText")}
      </Empty>
    </>
  );
}
