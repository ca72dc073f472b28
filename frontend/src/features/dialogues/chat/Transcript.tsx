/** What was said so far, newest at the foot, with hints about single turns; a turn on its way comes last. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Dialogue, DialogueTurn } from "@/api/types";
import { Button } from "@/ui/Button";
import { Time } from "@/ui/Time";
import { partOfTurn, roundOf } from "../talk";
import type { SentTurn } from "../unsentText";
import styles from "./chat.module.css";

interface TranscriptProps {
  dialogue: Dialogue;
  unsent: { sent: SentTurn | null; isStuck: boolean };
  onRetry: () => void;
  partnerTypes: boolean;
}

/** Pixels from the foot within which the newest turn stays in view. */
const NEAR = 120;

export function Transcript({ dialogue, unsent, onRetry, partnerTypes }: TranscriptProps) {
  const { t } = useTranslation("dialogues");
  const { turns, part, language } = dialogue;
  const log = useRef<HTMLDivElement>(null);
  const sent = unsent.sent !== null && unsent.sent.no > dialogue.turn_no ? unsent.sent : null;
  const isAtFoot = useRef(true);
  useEffect(() => {
    const list = log.current;
    if (list && isAtFoot.current) list.scrollTop = list.scrollHeight;
  }, [turns.length, sent, partnerTypes]);
  // The keyboard of a telephone takes half of the room.
  useEffect(() => {
    const list = log.current;
    if (!list) return;
    const observer = new ResizeObserver(() => {
      if (isAtFoot.current) list.scrollTop = list.scrollHeight;
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div
        ref={log}
        className={styles.log}
        role="log"
        aria-live="polite"
        aria-label={t("transcript")}
        tabIndex={0}
        onScroll={({ currentTarget: list }) => (isAtFoot.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR)}
        data-testid="transcript"
      >
        <ol className={styles.turns}>
          {turns.length === 0 && sent === null && <li className={styles.first}>{t(`first.${part}`)}</li>}
          {turns.map((turn) => (
            <Turn key={turn.no} turn={turn} isMine={turn.part === part} language={language} />
          ))}
          {sent !== null && (
            <li className={`${styles.turn} ${styles.mine}`} data-testid="sent-turn" data-stuck={unsent.isStuck || undefined}>
              <p className={styles.who}>{t(`turn.${partOfTurn(sent.no)}`, { number: roundOf(sent.no) })}</p>
              <p className={styles.said} lang={language.lang} dir={language.dir}>
                {sent.text}
              </p>
              <p className={styles.hint}>
                {t(unsent.isStuck ? "notSent" : "sending")}{" "}
                {unsent.isStuck && (
                  <Button small onClick={onRetry} data-testid="send-again">
                    {t("sendAgain")}
                  </Button>
                )}
              </p>
            </li>
          )}
        </ol>
      </div>
      <p className={styles.typing} role="status" data-testid="typing">
        {partnerTypes ? t("typing") : ""}
      </p>
    </>
  );
}

/** The codes that there is a sentence for; the others have a common one. */
const HINTS = ["answer_fragment", "question_reason", "other_script"] as const;

function Turn({ turn, isMine, language }: { turn: DialogueTurn; isMine: boolean; language: Dialogue["language"] }) {
  const { t } = useTranslation("dialogues");
  const { no, part, text, flags, created_at: at } = turn;
  return (
    <li className={isMine ? `${styles.turn} ${styles.mine}` : styles.turn} data-testid={`turn-${no}`}>
      <p className={styles.who}>
        {t(`turn.${part}`, { number: roundOf(no) })} · <Time at={at} />
      </p>
      <p className={styles.said} lang={language.lang} dir={language.dir}>
        {text}
      </p>
      {flags.map((code) => (
        <p key={code} className={styles.hint} data-testid={`hint-${code}`}>
          <span aria-hidden="true">⚑ </span>
          {t(`hint.${HINTS.find((known) => known === code) ?? "other"}`)}
        </p>
      ))}
    </li>
  );
}
