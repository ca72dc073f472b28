/** Writes a comment, with names completed behind "@"; by keys alone. What is begun stays when the panel closes. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { commentActions } from "./actions";
import { complete, fitting, mentionAt, mentionsIn, type Mentionable } from "./mentions";
import styles from "./comments.module.css";

interface CommentFormProps {
  itemId: number;
  people: readonly Mentionable[];
  focus: boolean;
  onSend: (text: string, mentions: number[]) => void;
  onLeave: (() => void) | undefined;
}

/** Begun and not sent, by item, for as long as the page lives. */
const begun = new Map<number, string>();

/** Most names offered at a time. */
const OFFERED = 6;

export function CommentForm({ itemId, people, focus, onSend, onLeave }: CommentFormProps) {
  const { t } = useTranslation("comments");
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(begun.get(itemId) ?? "");
  const [within, setWithin] = useState(false);
  const [cursor, setCursor] = useState(0);
  const [at, setAt] = useState(0);
  /** Where the "@" stands whose list was closed. */
  const [closed, setClosed] = useState<number | null>(null);
  const [putCursor, setPutCursor] = useState<number | null>(null);

  const mention = within ? mentionAt(text, cursor) : null;
  const names = mention && mention.start !== closed ? fitting(people, mention.typed).slice(0, OFFERED) : [];
  const chosen = names[Math.min(at, names.length - 1)];

  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);
  useLayoutEffect(() => {
    if (putCursor !== null) field.current?.setSelectionRange(putCursor, putCursor);
  }, [putCursor, text]);

  function write(next: string) {
    setText(next);
    setPutCursor(null);
    if (next === "") begun.delete(itemId);
    else begun.set(itemId, next);
  }
  function pick(person: Mentionable | undefined) {
    if (!person || !mention) return;
    const done = complete(text, mention.start, cursor, person.label);
    write(done.text);
    setCursor(done.cursor);
    setPutCursor(done.cursor);
    setAt(0);
    field.current?.focus();
  }
  function send() {
    const comment = text.trim();
    if (comment === "") return;
    onSend(comment, mentionsIn(comment, people));
    write("");
  }

  useActions(
    commentActions,
    {
      isWriting: within,
      isNaming: within && names.length > 0,
      canSend: within && text.trim() !== "",
      send,
      move: (step) => setAt((Math.min(at, names.length - 1) + step + names.length) % names.length),
      pick: () => pick(chosen),
      closeNames: () => setClosed(mention?.start ?? null),
      leave: () => {
        if (onLeave) onLeave();
        else field.current?.blur();
      },
    },
    { exclusive: within },
  );

  return (
    <div className={styles.commentForm}>
      <label className="visually-hidden" htmlFor={id}>
        {t("write")}
      </label>
      <textarea
        ref={field}
        id={id}
        className="input"
        rows={2}
        maxLength={2000}
        placeholder={t("placeholder")}
        value={text}
        aria-autocomplete="list"
        aria-controls={names.length > 0 ? `${id}-names` : undefined}
        aria-activedescendant={names.length > 0 && chosen ? `${id}-${chosen.id}` : undefined}
        onFocus={() => setWithin(true)}
        onBlur={() => setWithin(false)}
        onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
        onChange={(event) => {
          write(event.target.value);
          setCursor(event.target.selectionStart);
          setAt(0);
          if (mention === null) setClosed(null);
        }}
        data-testid="comment-text"
      />
      {names.length > 0 && (
        <ul id={`${id}-names`} className={styles.commentNames} role="listbox" aria-label={t("people")} data-testid="comment-names">
          {names.map((person) => (
            <li
              key={person.id}
              id={`${id}-${person.id}`}
              role="option"
              aria-selected={person === chosen}
              // Before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                pick(person);
              }}
            >
              {person.label}
            </li>
          ))}
        </ul>
      )}
      <div className="row-actions">
        <Button small look="primary" keys="Mod+Enter" disabled={text.trim() === ""} onClick={send} data-testid="comment-send">
          {t("action.send")}
        </Button>
        <span className="tiny">{t("hint")}</span>
      </div>
    </div>
  );
}
