import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug, useTracks } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay, useSessionBenchmark } from "@/api/session";
import type { Waiting } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { homeActions } from "./actions";
import { TeamBoard } from "./board/TeamBoard";
import { OwnPictures } from "./OwnPictures";
import { Returned } from "./Returned";
import { coverTodosFrom, errataTodosFrom, partnersFirst, todosFrom, type Todo } from "./todo";
import { useBoardTodos } from "./useBoardTodos";
import { useTeamTodos } from "./useTeamTodos";
import { Week } from "./Week";
import styles from "./home.module.css";

/** Operations that require consent. */
const CONTRIBUTIONS = ["upload_create", "image_judge", "package_claim", "item_review", "item_inspect", "item_create", "item_star", "item_click", "item_decide", "lobby_join"];

export function Home() {
  const { t } = useTranslation("home");
  const slug = useSlug();
  const name = useLocalised();
  const benchmark = useBenchmark(slug);
  const here = useSessionBenchmark(slug);
  const contributes = CONTRIBUTIONS.some((operation) => here?.operations.includes(operation));
  const waiting = useRead("waiting_show", { path: { b: slug } }, { refetchInterval: 30_000 });
  return (
    <Page title={t("title")} lead={benchmark.data && name(benchmark.data.title)}>
      {here?.consent.needed === true && !here.consent.given && contributes && (
        <div className={styles.homeConsent} data-testid="home-consent">
          <Notice tone="warn" action={<ButtonLink small to={`/b/${slug}/consent`}>{t("consent.open")}</ButtonLink>}>
            {t("consent.text")}
          </Notice>
        </div>
      )}
      <Loaded of={waiting}>{(data) => <ForYou waiting={data} slug={slug} />}</Loaded>
    </Page>
  );
}

function ForYou({ waiting, slug }: { waiting: Waiting; slug: string }) {
  const { t } = useTranslation("home");
  const navigate = useNavigate();
  const may = useMay(slug);
  const counts = useRead("image_counts", { path: { b: slug } }, { enabled: may("cover_hold") && may("image_counts") });
  const reported = useRead(
    "erratum_list",
    { path: { b: slug }, query: { state: "reported", page_size: 1 } },
    { enabled: may("erratum_confirm"), refetchInterval: 60_000 },
  );
  // Its answer may also come from what the page reads for the person's own pictures.
  const toCover = may("cover_hold") ? counts.data : undefined;
  const todos = partnersFirst([...useBoardTodos(slug), ...todosFrom(waiting), ...coverTodosFrom(toCover), ...errataTodosFrom(reported.data), ...useTeamTodos(slug)]);
  const first = todos[0];
  useActions(homeActions, { first: first ? () => void navigate(`/b/${slug}${first.to}`) : null });
  const hasWeek = waiting.week !== null;
  return (
    <div className={hasWeek ? `${styles.home} ${styles.homeWeek}` : styles.home}>
      <div>
        <section aria-labelledby="for-you">
          <h2 id="for-you">{t("forYou")}</h2>
          {todos.length === 0 ? (
            <NothingWaits slug={slug} />
          ) : (
            <ul className={styles.todos} data-testid="todos">
              {todos.map((todo, i) => (
                <TodoLine key={todo.to} todo={todo} slug={slug} isFirst={i === 0} />
              ))}
            </ul>
          )}
        </section>
        {may("upload_create") && may("image_counts") && !may("image_judge") && !may("board_show") && <OwnPictures slug={slug} />}
        {may("board_show") && <TeamBoard slug={slug} />}
      </div>
      {waiting.week && (
        <aside>
          <Week week={waiting.week} slug={slug} />
        </aside>
      )}
    </div>
  );
}

function TodoLine({ todo, slug, isFirst }: { todo: Todo; slug: string; isFirst: boolean }) {
  const { t } = useTranslation("home");
  const { package: pkg, board, count } = todo;
  const of = pkg?.kind ?? board?.kind ?? todo.kind;
  const kind = of === undefined ? "" : t(`ui:kind.${of}`);
  const ofPackage = { label: pkg?.label ?? "", written: pkg?.written ?? 0, size: pkg?.size ?? 0 };
  const values = { kind, count, ...ofPackage, name: board?.team?.name ?? "", required: board?.required ?? 0 };
  return (
    <li className={styles.todo} data-testid={`todo-${todo.name}`}>
      <div>
        <b>{t(`todo.${todo.name}.title`, values)}</b>
        <p className="dim">
          {t(`todo.${todo.name}.text`, values)}
          {todo.since !== null && (
            <>
              {" · "}
              <Time at={todo.since} sentence={(time) => t("oldest", { time })} />
            </>
          )}
        </p>
        {todo.name === "returned" && todo.package && <Returned id={todo.package.id} slug={slug} />}
      </div>
      <ButtonLink to={`/b/${slug}${todo.to}`} look={isFirst ? "primary" : undefined} keys={isFirst ? "Enter" : undefined}>
        {t(`todo.${todo.name}.go`)}
      </ButtonLink>
    </li>
  );
}

function NothingWaits({ slug }: { slug: string }) {
  const { t } = useTranslation("home");
  const may = useMay(slug);
  const hasPackages = useTracks(slug).includes("package");
  return (
    <Empty
      title={t("nothing.title")}
      actions={
        <>
          {may("upload_create") && <ButtonLink to={`/b/${slug}/pictures/add`}>{t("nothing.addPictures")}</ButtonLink>}
          {hasPackages && may("package_build") && <ButtonLink to={`/b/${slug}/packages`}>{t("nothing.buildPackages")}</ButtonLink>}
          {may("invitation_create") && <ButtonLink to={`/b/${slug}/people/invitations?new=1`}>{t("nothing.addPeople")}</ButtonLink>}
          <ButtonLink to={`/b/${slug}/protocol`}>{t("nothing.readProtocol")}</ButtonLink>
        </>
      }
    >
      {t(hasPackages ? "nothing.text" : "nothing.textTeams")}
    </Empty>
  );
}
