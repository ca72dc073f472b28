/** The field for the next turn. Enter sends; an input method keeps its Enter. Line breaks are stored as blanks. */
import { useEffect, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Dialogue } from "@/api/types";
import { Button } from "@/ui/Button";
import { keepFocus } from "@/ui/keys";
import styles from "./chat.module.css";

/** As the server stores it. */
const LONGEST = 1_000;

interface ComposerProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  dialogue: Dialogue;
  text: string;
  isWrong: boolean;
  onText: (text: string) => void;
  /** Null while nothing can be sent. */
  send: (() => void) | null;
}

export function Composer({ ref, dialogue, text, isWrong, onText, send }: ComposerProps) {
  const { t } = useTranslation("dialogues");
  const { part, language, is_my_turn: isMyTurn } = dialogue;
  const turn = t(isMyTurn ? `yourTurn.${part}` : `partnersTurn.${part}`);
  // A telephone would open its keyboard over the picture.
  useEffect(() => {
    if (!window.matchMedia("(pointer: coarse)").matches) ref.current?.focus();
  }, [ref]);
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send?.();
      }}
    >
      <p className={styles.whose} role="status" data-testid="whose-turn" data-mine={isMyTurn || undefined}>
        {turn}
      </p>
      <div className={styles.field}>
        <textarea
          ref={ref}
          className="input"
          rows={2}
          value={text}
          maxLength={LONGEST}
          lang={language.lang}
          dir={language.dir}
          aria-label={t(`field.${part}`)}
          aria-describedby="composer-keys"
          aria-invalid={isWrong || undefined}
          placeholder={t(`placeholder.${part}`)}
          enterKeyHint="send"
          onChange={(event) => onText(event.target.value)}
          data-testid="composer"
        />
        <Button type="submit" look="primary" keys="Enter" disabled={send === null} onMouseDown={keepFocus} data-testid="send">
          {t("chat.send")}
        </Button>
      </div>
      <p className={`tiny ${styles.keys}`} id="composer-keys">
        {t("composerKeys")}
      </p>
    </form>
  );
}
