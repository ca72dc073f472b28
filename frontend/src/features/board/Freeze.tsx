/** Freezing the list: what is left to do before, and a question. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { BoardEntry, CategoryBoard } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { isUnnamed } from "./entries";
import styles from "./board.module.css";

/** How many of the categories that keep the list from being frozen are named. */
const MOST_LEFT = 12;

export function Freeze({ slug, board, onOpen }: { slug: string; board: CategoryBoard; onOpen: (entry: BoardEntry) => void }) {
  const { t } = useTranslation("board");
  const name = useLocalised();
  const freeze = useWrite("category_board_freeze");
  const [asks, setAsks] = useState(false);
  // What a refusal is about may be settled by a later decision.
  const [refusedAt, setRefusedAt] = useState<number | null>(null);
  const refusal = refusedAt === board.revision ? freeze.error : null;
  const undecided = board.entries.filter(({ state }) => state === "proposed");
  const unnamed = board.entries.filter((entry) => entry.state === "kept" && isUnnamed(entry));
  const left = [
    ...(undecided.length > 0 ? [t("decide.undecidedLeft", { count: undecided.length })] : []),
    ...(unnamed.length > 0 ? [t("decide.unnamedLeft", { count: unnamed.length })] : []),
    ...(undecided.length === 0 && board.entries.every(({ state }) => state !== "kept") ? [t("decide.noneKept")] : []),
  ];
  const isAsking = asks && left.length === 0;
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It grows at the foot of the page.
    if (asks) question.current?.scrollIntoView({ block: "end" });
  }, [asks]);
  const next = (board.version ?? 0) + 1;
  if (board.state === "frozen" && board.new_entries === 0 && board.new_groups === 0) return null;
  const label = board.state === "frozen" ? [t(`decide.freezeNext`, { version: next, count: board.new_entries }), ...(board.new_groups > 0 ? [t("decide.newGroups", { count: board.new_groups })] : [])].join(" · ") : t("decide.freeze");
  const go = () => {
    freeze.mutate(
      { path: { b: slug }, body: { revision: board.revision } },
      {
        onSuccess: (answer) => {
          setAsks(false);
          toasts.show(t("decide.frozenNow", { version: answer.version }));
        },
        onError: () => setRefusedAt(board.revision),
      },
    );
  };
  return (
    <div ref={question} className={`form ${styles.freeze}`}>
      {refusal && <Problem error={refusal} />}
      {asks && left.length > 0 && (
        <p role="alert" data-testid="freeze-left">
          {t("decide.before", { left: left.join(" · ") })}
        </p>
      )}
      {asks && left.length > 0 && (
        <ul className="chips" data-testid="unfinished">
          {[...undecided, ...unnamed].slice(0, MOST_LEFT).map((entry) => (
            <li key={entry.id}>
              <button type="button" className="chip" onClick={() => onOpen(entry)}>
                {name(entry.name)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isAsking && <p>{t("decide.freezeAsk")}</p>}
      {isAsking && board.state !== "frozen" && <NotSubmitted board={board} />}
      <div className="row-actions">
        {isAsking ? (
          <>
            <Button look="primary" busy={freeze.isPending} onClick={go} data-testid="freeze-confirm">
              {label}
            </Button>
            <Button onClick={() => setAsks(false)}>{t("ui:cancel")}</Button>
          </>
        ) : (
          <Button onClick={() => setAsks(true)} data-testid="freeze">
            {label}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Who has not submitted: what they have written is lost to the list when it is frozen. */
function NotSubmitted({ board }: { board: CategoryBoard }) {
  const { t } = useTranslation("board");
  const format = useFormat();
  const done = board.progress.filter((one) => one.submitted_at !== null).length;
  const begun = board.progress.filter((one) => one.submitted_at === null);
  if (begun.length === 0 && done >= board.expected_proposers) return null;
  return (
    <Notice tone="warn">
      <span data-testid="not-submitted">
        {t("decide.submittedBy", { done, expected: board.expected_proposers })}
        {begun.length > 0 && <> · {t("decide.begun", { names: format.list(begun.map(({ person }) => person?.name ?? t("someone"))) })}</>}
      </span>
    </Notice>
  );
}
