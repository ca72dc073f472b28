/**
 * A board: pictures with the items that people wrote on them, what waits and what was returned, and how far the work is.
 * In the peer track it is a team's, in the panel track it has all pictures of the benchmark, in the pair track those with
 * accepted work to write about.
 */
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { useMay, useSessionBenchmark } from "@/api/session";
import type { Team, TeamBoard } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useTrackKinds, useTracksOfKinds } from "@/kinds/useTrackKinds";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { PagedList } from "@/ui/PagedList";
import { useFilters, type Filters } from "@/ui/useFilters";
import { Page } from "@/ui/Page";
import { boardOf, boardTrackOf, CHECKING, checkAllOf, type BoardTrack } from "@/item/desk";
import { boardActions } from "./actions";
import { BoardFilters } from "./BoardFilters";
import { ChooseTeam } from "./ChooseTeam";
import { KindSelect } from "./KindSelect";
import { PictureRow } from "./PictureRow";
import { BoardSpotCheck } from "./spot/BoardSpotCheck";
import { TeamPage } from "./TeamPage";
import styles from "./team.module.css";

const SHOWN = ["all", "room", "returned", "to_check", "drafts"] as const;
type Shown = (typeof SHOWN)[number];

/** Between looks at what colleagues did, in milliseconds. */
const EVERY_MS = 30_000;

/** The board of a kind whose items belong to no team. */
export function WriteBoardPage() {
  const { t } = useTranslation("team");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  const tracks = useTracksOfKinds(slug);
  const kinds = [...tracks].flatMap(([kind, track]) => (track === "panel" || track === "pair" ? [kind] : []));
  const filters = useFilters();
  const kind = filters.oneOf("kind", kinds) ?? kinds[0];
  if (kind === undefined) {
    return (
      <BoardFrame track="panel" title={t("panel.title")}>
        <Loaded of={benchmark}>{() => <Empty title={t("panel.none.title")}>{t("panel.none.text")}</Empty>}</Loaded>
      </BoardFrame>
    );
  }
  return <Board key={kind} track={boardTrackOf(tracks.get(kind) ?? "panel")} slug={slug} kind={kind} kinds={kinds} team={undefined} teams={[]} filters={filters} />;
}

/** The board of a team. */
export function BoardPage() {
  const { t } = useTranslation("team");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  const kinds = useTrackKinds(slug, "peer");
  const filters = useFilters();
  const may = useMay(slug);
  const own = useSessionBenchmark(slug)?.teams ?? [];
  const all = useRead("team_list", { path: { b: slug } }, { enabled: may("team_list"), staleTime: 60_000 });
  const teams = may("team_list") ? (all.data ?? []) : own.map((one) => ({ ...one, members: [] }));
  const kind = filters.oneOf("kind", kinds) ?? kinds[0];
  const team = filters.number("team") ?? own[0]?.id ?? (teams.length === 1 ? teams[0]?.id : undefined);
  if (kind === undefined || team === undefined) {
    const why = kind === undefined ? "none" : "noTeam";
    const nothing = <Empty title={t(`${why}.title`)}>{t(`${why}.text`)}</Empty>;
    return (
      <TeamPage title={t("title")}>
        <Loaded of={benchmark}>
          {() =>
            may("team_list") && kind !== undefined ? (
              <Loaded of={all}>
                {(rows) => (rows.length === 0 ? nothing : <ChooseTeam teams={rows} boardOf={(one) => boardOf(slug, "peer", { kind, team: one })} />)}
              </Loaded>
            ) : (
              nothing
            )
          }
        </Loaded>
      </TeamPage>
    );
  }
  return <Board key={`${kind}-${team}`} track="peer" slug={slug} kind={kind} kinds={kinds} team={team} teams={teams} filters={filters} />;
}

interface BoardProps {
  track: BoardTrack;
  slug: string;
  kind: string;
  kinds: readonly string[];
  /** Undefined where items belong to no team. */
  team: number | undefined;
  /** The teams whose boards the reader may see. */
  teams: readonly Pick<Team, "id" | "name" | "members">[];
  filters: Filters;
}

function Board(props: BoardProps) {
  const { track, slug, kind, team, filters } = props;
  const { t } = useTranslation("team");
  const navigate = useNavigate();
  const may = useMay(slug);
  const show = filters.oneOf("show", SHOWN) ?? "all";
  const query = { kind, team, show, category: filters.get("category"), author: filters.number("author"), reason: filters.get("reason") };
  const list = useList("team_board", { path: { b: slug }, query }, { refetchInterval: EVERY_MS });
  const board = list.data?.pages[0];
  const uploads = `/b/${slug}/pictures/add${team === undefined ? "" : `?team=${team}`}`;
  const upload = may("upload_create") && board?.available_actions.includes("item_create") === true ? uploads : null;
  const validate = board && checkAllOf(slug, track, board);
  useActions(boardActions, {
    validate: !validate || board.to_check === 0 ? null : () => void navigate(validate),
    upload: upload === null ? null : () => void navigate(upload),
  });
  const isFiltered = show !== "all" || [query.category, query.author, query.reason].some((value) => value !== undefined);
  return (
    <BoardFrame
      track={track}
      title={track === "peer" ? (board?.team?.name ?? t("title")) : t("panel.title")}
      lead={t(track === "peer" ? "lead" : `${track}.lead`, { kind: t(`ui:kind.${kind}`) })}
      actions={
        <>
          {kind === "dialogue" && may("lobby_join") && (
            <ButtonLink to={`/b/${slug}/write/dialogue`} look="primary" data-testid="to-dialogues">
              {t("toDialogues")}
            </ButtonLink>
          )}
          {upload !== null && (
            <ButtonLink to={upload} keys="u" data-testid="upload">
              {t("upload")}
            </ButtonLink>
          )}
          {validate && (
            <ButtonLink to={validate} look={board.to_check > 0 ? "primary" : undefined} keys={board.to_check > 0 ? "v" : undefined} data-testid="validate">
              {t(checkText(track, board), { count: board.to_check })}
            </ButtonLink>
          )}
        </>
      }
    >
      <Selects {...props} />
      {board && <Progress board={board} track={track} />}
      {board && team !== undefined && may("spot_check_list") && <BoardSpotCheck slug={slug} kind={kind} team={team} />}
      {board && <ShowFilter board={board} track={track} show={show} onShow={(one) => filters.set({ show: one === "all" ? undefined : one })} />}
      <BoardFilters slug={slug} kind={kind} authors={board?.authors ?? []} filters={filters} />
      <PagedList
        of={list}
        empty={
          <Empty
            title={t(isFiltered ? "empty.filtered" : track === "peer" ? "empty.title" : `${track}.empty.title`)}
            actions={!isFiltered && upload !== null && <ButtonLink to={upload} look="primary" data-testid="upload-first">{t("empty.upload")}</ButtonLink>}
          >
            {t(isFiltered ? (track === "peer" ? "empty.filteredText" : "panel.empty.filteredText") : track === "peer" ? (upload === null ? "empty.reading" : "empty.text") : `${track}.empty.text`)}
          </Empty>
        }
      >
        {(rows) =>
          board && (
            <ul className={styles.pictures} aria-label={t(track === "peer" ? "pictures" : "panel.pictures")} data-testid="pictures">
              {rows.map((picture) => (
                <PictureRow key={picture.image.id} picture={picture} board={board} slug={slug} track={track} />
              ))}
            </ul>
          )
        }
      </PagedList>
    </BoardFrame>
  );
}

/** The tabs of a team's pages belong to the peer track alone. */
function BoardFrame({ track, children, ...page }: ComponentProps<typeof TeamPage> & { track: BoardTrack }) {
  return track === "peer" ? <TeamPage {...page}>{children}</TeamPage> : <Page {...page}>{children}</Page>;
}

/** What the button says that leads to the items that wait for the reader. */
function checkText(track: BoardTrack, board: TeamBoard) {
  if (track === "peer") return "validateCount";
  if (track === "panel") return "panel.judgeCount";
  return board.available_actions.includes("item_decide") ? "pair.decideCount" : "pair.clickCount";
}

/** Which kind and whose board, for those who have several to choose from. */
function Selects({ kind, kinds, team, teams, filters }: BoardProps) {
  const { t } = useTranslation("team");
  if (kinds.length < 2 && teams.length < 2) return null;
  return (
    <div className={styles.selects}>
      {teams.length > 1 && (
        <SelectField label={t("team")} value={team} onChange={(event) => filters.set({ team: event.target.value })} data-testid="choose-team">
          {teams.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </SelectField>
      )}
      <KindSelect kind={kind} kinds={kinds} onKind={(one) => filters.set({ kind: one })} />
    </div>
  );
}

function Progress({ board, track }: { board: TeamBoard; track: BoardTrack }) {
  const { t } = useTranslation("team");
  const format = useFormat();
  const { accepted, required, counts } = board;
  return (
    <section className={styles.progress} aria-label={t(track === "peer" ? "progress" : "panel.progress")} data-testid="progress">
      <p>
        <strong className="big number">{format.number(accepted)}</strong>{" "}
        <span className="dim">{required > 0 ? t("ofRequired", { required: format.number(required) }) : t("accepted")}</span>
      </p>
      {required > 0 && <Meter value={accepted} of={required} label={t("progress")} />}
      <dl className="chips">
        {(["todo", "made", "returned"] as const).map((state) => (
          <div key={state} className="chip">
            <dt>{t(track !== "peer" && state === "made" ? `${track}.made` : `count.${state}`)}</dt>
            <dd className="number">{format.number(counts[state] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ShowFilter({ board, track, show, onShow }: { board: TeamBoard; track: BoardTrack; show: Shown; onShow: (show: Shown) => void }) {
  const { t } = useTranslation("team");
  const counts: Partial<Record<Shown, number>> = { returned: board.counts.returned ?? 0, to_check: board.to_check, drafts: board.drafts };
  const isOffered: Partial<Record<Shown, boolean>> = { to_check: CHECKING.some((one) => board.available_actions.includes(one)), drafts: board.drafts > 0 || show === "drafts" };
  return (
    <ChoiceChips<Shown>
      className={styles.filters}
      label={t("filter.label")}
      value={show}
      onChoose={onShow}
      choices={SHOWN.filter((one) => isOffered[one] ?? true).map((one) => ({ value: one, text: t(one === "to_check" && track !== "peer" ? "panel.to_check" : `filter.${one}`), count: counts[one], testId: `filter-${one}` }))}
    />
  );
}
