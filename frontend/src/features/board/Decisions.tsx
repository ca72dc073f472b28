/** The proposed categories, by field; curators decide about them by keys. */
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import type { Answer } from "@/api/request";
import type { BoardEntry, CategoryBoard } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { LANGUAGES } from "@/i18n/languages";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Gap } from "@/ui/Gap";
import { ActionButtons, useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { decideActions, type Decision } from "./actions";
import { DecisionForm, type OpenDecision } from "./DecisionForm";
import { isUnnamed } from "./entries";
import { Freeze } from "./Freeze";
import { ImportList } from "./ImportList";
import { useDecisions } from "./useDecisions";
import styles from "./board.module.css";

const TONES = { kept: "good", removed: "bad", merged: undefined, proposed: "warn" } as const;
/** Width of the window up to which a category's details are below the list, as in the style sheet. */
const ONE_COLUMN = 900;

type BoardEvent = Answer<"category_board_entry">["history"][number];

export function Decisions({ slug, board }: { slug: string; board: CategoryBoard }) {
  const { t } = useTranslation("board");
  const format = useFormat();
  const [onlyOpen, setOnlyOpen] = useState(false);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [openDecision, setOpenDecision] = useState<OpenDecision | null>(null);
  const mayDecide = board.available_actions.includes("category_board_decide");
  const mayAdd = board.available_actions.includes("category_board_add");

  const rows = board.entries.filter((entry) => !onlyOpen || entry.state === "proposed" || entry.id === chosenId);
  const chosen = rows.find((entry) => entry.id === chosenId) ?? rows.find((entry) => entry.state === "proposed") ?? rows[0];
  const decided = board.entries.filter((entry) => entry.state !== "proposed").length;

  // What was typed is offered again, unless another person decided first or a form is open in which something is typed.
  const onRefused = useCallback((made: OpenDecision, code: string) => {
    if (code !== "stale_row" && made.body.action !== "keep") setOpenDecision((now) => now ?? made);
  }, []);
  const { sent, refused, problem, retry, drop, send } = useDecisions(onRefused);
  const choose = (entry: BoardEntry | undefined) => {
    if (entry !== undefined) setChosenId(entry.id);
  };
  const side = useRef<HTMLDivElement>(null);
  const show = (entry: BoardEntry) => {
    choose(entry);
    // In one column the category's details begin below the list.
    if (window.innerWidth <= ONE_COLUMN) requestAnimationFrame(() => side.current?.scrollIntoView({ block: "start" }));
  };
  const step = (by: 1 | -1) => choose(rows[rows.findIndex((entry) => entry.id === chosen?.id) + by]);
  const decide = (entry: BoardEntry, action: Decision, more: Omit<OpenDecision["body"], "action"> = {}) => {
    send({ entry, body: { ...more, action } });
    setOpenDecision(null);
    setChosenId(entry.id);
    if (action === "rename" || action === "regroup" || action === "reopen") return;
    const place = rows.findIndex((one) => one.id === entry.id);
    const next = [...rows.slice(place + 1), ...rows.slice(0, place)].find((one) => one.state === "proposed" && !sent.has(one.id));
    if (next) setChosenId(next.id);
  };
  useActions(decideActions, {
    available: mayDecide && chosen !== undefined && openDecision === null && !sent.has(chosen.id) ? chosen.actions : [],
    canAdd: mayAdd && openDecision === null,
    onlyOpen,
    step,
    decide: (action) => {
      if (chosen === undefined) return;
      if (action === "keep") decide(chosen, action);
      else setOpenDecision({ entry: chosen, body: { action } });
    },
    add: () => setOpenDecision({ entry: null, body: { action: "add" } }),
    toggleOnlyOpen: () => setOnlyOpen(!onlyOpen),
  });

  const agreement = board.agreement;
  const inForm = (one: { entry: BoardEntry; body: OpenDecision["body"] }) =>
    openDecision?.entry?.id === one.entry.id && openDecision.body.action === one.body.action;
  return (
    <section aria-labelledby="proposed" className={styles.decisions}>
      <h2 id="proposed">{t("decide.title")}</h2>
      <p className="dim" data-testid="board-progress">
        {t("decide.progress", { done: decided, total: board.entries.length })} ·{" "}
        {t("decide.submittedBy", { done: board.progress.filter((one) => one.submitted_at !== null).length, expected: board.expected_proposers })}
      </p>
      {agreement.jaccard !== null && (
        <p className="dim" data-testid="board-agreement">
          {t("decide.agreement", { jaccard: format.number(agreement.jaccard, 2, 2), shared: agreement.shared, total: agreement.entries })}
        </p>
      )}
      {board.available_actions.includes("category_board_import") && <ImportList slug={slug} />}
      {problem && <Problem error={problem} onRetry={retry} />}
      {refused
        .filter((one) => !inForm(one))
        .map((one) => (
          <RefusedDecision
            key={one.entry.id}
            refused={one}
            now={board.entries.find(({ id }) => id === one.entry.id)}
            onDrop={() => drop(one.entry)}
            onOpen={(entry) => {
              drop(one.entry);
              setChosenId(entry.id);
              setOpenDecision(one.body.action === "keep" ? null : { entry, body: one.body });
            }}
            mayOpen={openDecision === null}
          />
        ))}
      {rows.length === 0 ? (
        <Empty title={board.entries.length === 0 ? t("decide.empty") : t("decide.allDone")}>
          <p>{t("lead")}</p>
        </Empty>
      ) : (
        <div className={styles.board}>
          <div className={styles.entries}>
            <ActionButtons names={mayAdd ? ["board.add", "board.onlyOpen"] : ["board.onlyOpen"]} label={t("decide.list")} className={styles.buttons} />
            <EntryList entries={rows} board={board} chosen={chosen} isAsking={openDecision !== null} onChoose={show} />
          </div>
          <div className={styles.side} ref={side}>
            {openDecision !== null ? (
              <DecisionForm
                key={`${String(openDecision.entry?.id)} ${openDecision.body.action}`}
                slug={slug}
                board={board}
                openDecision={openDecision}
                error={refused.find(inForm)?.error ?? null}
                onCancel={() => setOpenDecision(null)}
                onAdded={({ entries }) => {
                  setOpenDecision(null);
                  choose(entries.find(({ id }) => board.entries.every((known) => known.id !== id)));
                }}
                onDecide={decide}
              />
            ) : (
              chosen !== undefined && <Detail entry={chosen} board={board} mayDecide={mayDecide} />
            )}
          </div>
        </div>
      )}
      {board.available_actions.includes("category_board_freeze") && <Freeze slug={slug} board={board} onOpen={show} />}
    </section>
  );
}

interface RefusedDecisionProps {
  refused: ReturnType<typeof useDecisions>["refused"][number];
  /** The category as it is now. */
  now: BoardEntry | undefined;
  onDrop: () => void;
  onOpen: (entry: BoardEntry) => void;
  mayOpen: boolean;
}

/** What another person decided first, or why the server refused; the decision can be opened again with what was typed. */
function RefusedDecision({ refused, now, onDrop, onOpen, mayOpen }: RefusedDecisionProps) {
  const { t } = useTranslation("board");
  const name = useLocalised();
  const reasonOf = useReason();
  const isStale = refused.error.code === "stale_row";
  const action = isStale ? (
    <Button small onClick={onDrop}>
      {t("ui:close")}
    </Button>
  ) : (
    <Button small disabled={!mayOpen || now === undefined} onClick={() => now && onOpen(now)} data-testid="decide-again">
      {t("decide.again")}
    </Button>
  );
  return (
    <Notice tone="warn" action={action}>
      <b>{name(refused.entry.name)}</b>{" "}
      {isStale && now?.decision ? (
        <span data-testid="board-conflict">
          {t("decide.others", { who: now.decision.by?.name ?? t("someone"), action: t(`event.${now.decision.action}`), reason: reasonOf(now.decision) })}
          {(refused.body.reason ?? "") !== "" && (
            <>
              <Gap />
              {t("decide.ownReason", { action: t(`action.${refused.body.action}`).replace("…", ""), reason: refused.body.reason })}
            </>
          )}
        </span>
      ) : (
        <Problem error={refused.error} />
      )}
    </Notice>
  );
}

interface EntryListProps {
  entries: readonly BoardEntry[];
  board: CategoryBoard;
  chosen: BoardEntry | undefined;
  /** Whether a form about the chosen one is open. */
  isAsking: boolean;
  onChoose: (entry: BoardEntry) => void;
}

/** The entries under their fields; the chosen one is kept in view. */
function EntryList({ entries, board, chosen, isAsking, onChoose }: EntryListProps) {
  const { t } = useTranslation("board");
  const name = useLocalised();
  const list = useRef<HTMLDivElement>(null);
  const isOpened = useRef(false);
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>("[aria-current]");
    entry?.scrollIntoView({ block: "nearest" });
    // The keys choose: what they chose has the focus, also after a form was closed. The page itself opens without.
    const { activeElement: active } = document;
    if (isOpened.current && !isAsking && (active === document.body || list.current?.contains(active) === true)) entry?.focus({ preventScroll: true });
    isOpened.current = true;
  }, [chosen?.id, isAsking]);
  return (
    <div ref={list} className={styles.list} data-testid="board-entries">
      {board.fields.map((field) => {
        const ofField = entries.filter((entry) => entry.field === field.code);
        if (ofField.length === 0) return null;
        return (
          <section key={field.code} aria-label={name(field.name)}>
            <h3>{name(field.name)}</h3>
            <ul>
              {ofField.map((entry) => (
                <li key={entry.id}>
                  <button
                    type="button"
                    className={styles.entry}
                    aria-current={entry.id === chosen?.id || undefined}
                    onClick={() => onChoose(entry)}
                    data-testid={`entry-${String(entry.id)}`}
                    data-state={entry.state}
                  >
                    <span>{name(entry.name)}</span>
                    <span className="tiny">{entry.proposers.length > 0 && t("decide.proposers", { count: entry.proposers.length })}</span>
                    <span className="chips">
                      {entry.state === "kept" && isUnnamed(entry) && <Chip tone="warn">{t("decide.namesMissing")}</Chip>}
                      <Chip tone={TONES[entry.state]}>{t(`state.${entry.decision?.action === "replace" ? "replaced" : entry.state}`)}</Chip>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Detail({ entry, board, mayDecide }: { entry: BoardEntry; board: CategoryBoard; mayDecide: boolean }) {
  const { t } = useTranslation("board");
  const name = useLocalised();
  const format = useFormat();
  const reasonOf = useReason();
  const whole = useRead("category_board_entry", { path: { id: entry.id } });
  const into = board.entries.find((one) => one.id === entry.into);
  const proposersOf = (one: BoardEntry) => format.list(one.proposers.map(({ list, person }) => (list !== "" ? list : (person?.name ?? t("someone")))));
  const names = proposersOf(entry);
  const standsFor = board.entries.filter((one) => one.into === entry.id);
  const group = entry.group !== "" ? entry.group : entry.computed_group;
  const isCorrected = entry.computed_group !== "" && group !== entry.computed_group;
  return (
    <article data-testid="board-detail">
      <h3>{name(entry.name)}</h3>
      <p>{namesIn(entry.name)}</p>
      {isUnnamed(entry) && <p className="hint">{t("decide.unnamed")}</p>}
      <p className="dim">{names !== "" ? t("decide.by", { names }) : t("decide.byCurator")}</p>
      <OtherNames entry={entry} />
      {standsFor.map((one) => (
        <p key={one.id} className="dim" data-testid="board-replaces">
          {t(one.decision?.action === "replace" ? "decide.replaces" : "decide.includes", { name: name(one.name), names: one.proposers.length > 0 ? proposersOf(one) : t("someone") })}
        </p>
      ))}
      {group !== "" && (
        <p className="dim" data-testid="board-group">
          {t(isCorrected ? "decide.groupCorrected" : "decide.groupIs", { group: t(`benchmarks:lists.group.${group}`), computed: t([`benchmarks:lists.group.${entry.computed_group}`, "benchmarks:lists.group.none"]) })}
        </p>
      )}
      {into && <p>{t("decide.mergedInto", { name: name(into.name) })}</p>}
      {mayDecide && entry.actions.length > 0 && (
        <ActionButtons names={entry.actions.map((action) => `board.${action}`)} label={t("decide.actions")} className={styles.buttons} />
      )}
      <h4>{t("decide.history")}</h4>
      <ol className={styles.history} data-testid="board-history">
        {(whole.data?.history ?? []).map((event) => (
          <li key={event.no}>
            {t("decide.step", { action: t(`event.${event.action}`), who: event.by?.name ?? t("someone") })} <Time at={event.at} />
            <Particulars data={event.data} />
            {event.reason !== "" && <p>{reasonOf(event)}</p>}
          </li>
        ))}
      </ol>
    </article>
  );
}

/** How people called the category who proposed it under another name in some language. */
function OtherNames({ entry }: { entry: BoardEntry }) {
  const { t } = useTranslation("board");
  const others = entry.proposers.flatMap(({ name, list, person }) => {
    const other = namesIn(Object.fromEntries(Object.entries(name).filter(([language, text]) => text !== "" && text !== entry.name[language])));
    return other === "" ? [] : [{ other, who: list !== "" ? list : (person?.name ?? t("someone")) }];
  });
  return others.map(({ other, who }) => (
    <p key={`${who} ${other}`} className="dim" data-testid="board-other-name">
      {t("decide.calledBy", { name: other, who })}
    </p>
  ));
}

/** A name in the languages that it has, in the order in which the interface lists them; equal ones once. */
function namesIn(name: Readonly<Record<string, string>> = {}): string {
  return [...new Set(LANGUAGES.flatMap((language) => name[language] ?? []))].join(" · ");
}

/** A usual reason in the reader's language, any other as it was written. */
function useReason() {
  const { t } = useTranslation("board");
  return ({ reason, data }: Pick<BoardEvent, "reason" | "data">) => (typeof data.usual === "string" ? t(`reason.${data.usual}`) : reason);
}

/** The earlier name or group, the list a proposal came from, and names it added in other languages. */
function Particulars({ data }: { data: BoardEvent["data"] }) {
  const { t } = useTranslation("board");
  const { before, after, list, named, converted } = data as { before?: unknown; after?: string; list?: string; named?: Record<string, string>; converted?: Record<string, string> };
  const former = typeof before === "string" ? before && t(`benchmarks:lists.group.${before}`) : namesIn(before as Record<string, string> | undefined);
  return (
    <>
      {former !== "" && <span className="dim"> {t("decide.formerly", { name: former })}</span>}
      {after !== undefined && after !== "" && <span className="dim"> {t("decide.now", { name: t(`benchmarks:lists.group.${after}`) })}</span>}
      {list !== undefined && <span className="dim"> {t("decide.fromList", { list })}</span>}
      {converted !== undefined && <span className="dim"> {t("decide.converted", { name: namesIn(converted) })}</span>}
      {named !== undefined && <span className="dim"> {t("decide.named", { name: namesIn(named) })}</span>}
    </>
  );
}
