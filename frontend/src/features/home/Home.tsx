import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay, useSessionBenchmark } from "@/api/session";
import type { Waiting } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { homeActions } from "./actions";
import { BOARD_STATES, todosFrom, type Todo } from "./todo";
import { WeekChart } from "./WeekChart";
import "./home.css";

/** Whoever may do one of these is asked for consent before. */
const CONTRIBUTIONS = ["upload_create", "image_judge", "package_claim", "item_review", "item_inspect"];

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
        <div className="home-consent" data-testid="home-consent">
          <Notice tone="warn" action={<ButtonLink small to={`/b/${slug}/consent`}>{t("consent.open")}</ButtonLink>}>
            {t("consent.text")}
          </Notice>
        </div>
      )}
      <Answered of={waiting}>{(data) => <Board waiting={data} slug={slug} />}</Answered>
    </Page>
  );
}

function Board({ waiting, slug }: { waiting: Waiting; slug: string }) {
  const { t } = useTranslation("home");
  const navigate = useNavigate();
  const todos = todosFrom(waiting);
  const first = todos[0];
  useActions(homeActions, { first: first ? () => void navigate(`/b/${slug}${first.to}`) : null });
  const hasWeek = waiting.week !== null;
  return (
    <div className={hasWeek ? "home home-week" : "home"}>
      <div>
        <section aria-labelledby="for-you">
          <h2 id="for-you">{t("forYou")}</h2>
          {todos.length === 0 ? (
            <NothingWaits slug={slug} />
          ) : (
            <ul className="todos" data-testid="todos">
              {todos.map((todo, i) => (
                <TodoLine key={`${todo.name}-${todo.package?.id ?? ""}`} todo={todo} slug={slug} isFirst={i === 0} />
              ))}
            </ul>
          )}
        </section>
        {waiting.board && waiting.board.length > 0 && <TeamBoard board={waiting.board} slug={slug} />}
      </div>
      {waiting.week && (
        <aside>
          <Week week={waiting.week} />
        </aside>
      )}
    </div>
  );
}

function TodoLine({ todo, slug, isFirst }: { todo: Todo; slug: string; isFirst: boolean }) {
  const { t } = useTranslation("home");
  const kind = todo.package ? t(`ui:kind.${todo.package.kind}`) : "";
  const values = { kind, label: todo.package?.label ?? "", count: todo.count, written: todo.package?.written ?? 0, size: todo.package?.size ?? 0 };
  return (
    <li className="todo" data-testid={`todo-${todo.name}`}>
      <div>
        <b>{t(`todo.${todo.name}.title`, values)}</b>
        <p className="dim">
          {t(`todo.${todo.name}.text`, values)}
          {todo.since !== null && (
            <>
              {" · "}
              {t("oldest")} <Time at={todo.since} />
            </>
          )}
        </p>
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
  return (
    <Empty
      title={t("nothing.title")}
      actions={
        <>
          {may("upload_create") && <ButtonLink to={`/b/${slug}/pictures/add`}>{t("nothing.addPictures")}</ButtonLink>}
          {may("package_build") && <ButtonLink to={`/b/${slug}/packages`}>{t("nothing.buildPackages")}</ButtonLink>}
          {may("invitation_create") && <ButtonLink to={`/b/${slug}/people/invitations?new=1`}>{t("nothing.addPeople")}</ButtonLink>}
          <ButtonLink to={`/b/${slug}/protocol`}>{t("nothing.readProtocol")}</ButtonLink>
        </>
      }
    >
      {t("nothing.text")}
    </Empty>
  );
}

function Week({ week }: { week: NonNullable<Waiting["week"]> }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  return (
    <section className="card" aria-labelledby="week">
      <h2 id="week" className="dim">
        {t("week.title")}
      </h2>
      <p className="big" data-testid="week-written">
        {format.number(week.written)}
      </p>
      <p className="dim">{t("week.written", { accepted: format.number(week.accepted) })}</p>
      <WeekChart byDay={week.by_day} />
    </section>
  );
}

function TeamBoard({ board, slug }: { board: NonNullable<Waiting["board"]>; slug: string }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  return (
    <section aria-labelledby="board" className="board">
      <h2 id="board">{t("board.title")}</h2>
      <div className="scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t("board.kind")}</th>
              {BOARD_STATES.map((state) => (
                <th key={state} scope="col" className="number">
                  {t(`ui:packageState.${state}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {board.map((row) => (
              <tr key={row.kind}>
                <th scope="row">{t(`ui:kind.${row.kind}`)}</th>
                {BOARD_STATES.map((state) => {
                  const count = row.states[state] ?? 0;
                  return (
                    <td key={state} className="number">
                      {count === 0 ? (
                        <span className="faint">0</span>
                      ) : (
                        <Link to={`/b/${slug}/packages?kind=${row.kind}&state=${state}`}>{format.number(count)}</Link>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
