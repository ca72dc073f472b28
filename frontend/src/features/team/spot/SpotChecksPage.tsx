/** Spot checks of the teams' accepted items: what waits to be judged, the next draw, and the results of each team. */
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useList, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import { useTrackKinds } from "@/kinds/useTrackKinds";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Loading } from "@/ui/Loading";
import { Notice } from "@/ui/Notice";
import { PagedList } from "@/ui/PagedList";
import { useFilters, type Filters } from "@/ui/useFilters";
import { spotChecksActions } from "../actions";
import { KindSelect } from "../KindSelect";
import { TeamPage } from "../TeamPage";
import { NextDraw } from "./NextDraw";
import { SpotCheckResult } from "./SpotCheckResult";
import styles from "../team.module.css";

/** Between looks at what others judged, in milliseconds. */
const EVERY_MS = 30_000;

export function SpotChecksPage() {
  const { t } = useTranslation("team");
  const slug = useSlug();
  const isLoaded = useBenchmark(slug).data !== undefined;
  const kinds = useTrackKinds(slug, "peer");
  const filters = useFilters();
  const kind = filters.oneOf("kind", kinds) ?? kinds[0];
  if (kind === undefined) {
    return <TeamPage title={t("spot.title")}>{isLoaded ? <Empty title={t("none.title")}>{t("none.text")}</Empty> : <Loading />}</TeamPage>;
  }
  return <SpotChecks key={kind} slug={slug} kind={kind} kinds={kinds} filters={filters} />;
}

interface SpotChecksProps {
  slug: string;
  kind: string;
  kinds: readonly string[];
  filters: Filters;
}

function SpotChecks({ slug, kind, kinds, filters }: SpotChecksProps) {
  const { t } = useTranslation("team");
  const navigate = useNavigate();
  const may = useMay(slug);
  const list = useList("spot_check_list", { path: { b: slug }, query: { kind, preview: true } }, { refetchInterval: EVERY_MS });
  const draw = useWrite("spot_check_draw");
  const newest = list.data?.pages[0];
  const toJudge = newest?.to_judge ?? 0;
  const mayDraw = newest?.available_actions.includes("spot_check_draw") === true;
  const judge = `/b/${slug}/team/spot-checks/judge?kind=${kind}`;
  const drawNow = () => draw.mutate({ path: { b: slug }, body: { kind } });
  useActions(spotChecksActions, {
    judge: toJudge === 0 ? null : () => void navigate(judge),
    draw: !mayDraw || newest.preview.length === 0 || draw.isPending ? null : drawNow,
  });
  const isReader = !may("item_spot_check");
  return (
    <TeamPage
      title={t("spot.title")}
      lead={newest && t(isReader ? "spot.leadTeam" : "spot.lead", { kind: t(`ui:kind.${kind}`) })}
      actions={<KindSelect kind={kind} kinds={kinds} onKind={(one) => filters.set({ kind: one })} />}
    >
      {toJudge > 0 && (
        <div className={styles.spotWaiting} data-testid="to-judge">
          <Notice
            action={
              <ButtonLink to={judge} look="primary" keys="Enter" data-testid="judge">
                {t("spot.judge")}
              </ButtonLink>
            }
          >
            {t("spot.toJudge", { count: toJudge })}
          </Notice>
        </div>
      )}
      {newest && mayDraw && <NextDraw checks={newest} isFirst={toJudge === 0} draw={draw} onDraw={drawNow} />}
      <PagedList of={list} empty={<Empty title={t("spot.empty.title")}>{t(emptyText(newest?.percent, isReader))}</Empty>}>
        {(rows) => (
          <div data-testid="spot-checks">
            {rows.map((check) => (
              <SpotCheckResult key={check.id} check={check} slug={slug} kind={kind} />
            ))}
          </div>
        )}
      </PagedList>
    </TeamPage>
  );
}

function emptyText(percent: number | undefined, isReader: boolean) {
  if (percent === 0) return "spot.empty.none";
  return isReader ? "spot.empty.reading" : "spot.empty.text";
}
