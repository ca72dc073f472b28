/** Writes a comment, with names completed after "@"; works by keys alone. Text not sent yet is kept when the panel closes. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { useActions } from "@/ui/keys";
import { MentionField } from "@/ui/kit/MentionField";
import { commentActions } from "./actions";
import { complete, fitting, mentionAt, mentionsIn, unknownMentions, type Mentionable } from "./mentions";
import styles from "./comments.module.css";

interface CommentFormProps {
  itemId: number;
  people: readonly Mentionable[];
  focus: boolean;
  onSend: (text: string, mentions: number[]) => void;
  onLeave: (() => void) | undefined;
}

/** Texts not sent yet, by item id, until the page is left. */
const unsent = new Map<number, string>();

/** Most names offered at a time. */
const OFFERED = 6;

export function CommentForm({ itemId, people, focus, onSend, onLeave }: CommentFormProps) {
  const { t } = useTranslation("comments");
  const format = useFormat();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(unsent.get(itemId) ?? "");
  const [within, setWithin] = useState(false);
  const [cursor, setCursor] = useState(0);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  /** Position of the "@" whose list was closed. */
  const [closed, setClosed] = useState<number | null>(null);
  const [putCursor, setPutCursor] = useState<number | null>(null);

  const mention = within ? mentionAt(text, cursor) : null;
  const names = mention && mention.start !== closed ? fitting(people, mention.typed).slice(0, OFFERED) : [];
  // While a name that still fits someone is being typed, nothing is wrong with it.
  const unknown = names.length > 0 ? [] : unknownMentions(text, people);
  const offered = people.map(({ label }) => label);

  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);
  useLayoutEffect(() => {
    if (putCursor !== null) field.current?.setSelectionRange(putCursor, putCursor);
  }, [putCursor, text]);

  function write(next: string) {
    setText(next);
    setPutCursor(null);
    if (next === "") unsent.delete(itemId);
    else unsent.set(itemId, next);
  }
  function choose(personId: number | null) {
    const person = names.find((one) => one.id === personId);
    if (!person || !mention) return;
    const done = complete(text, mention.start, cursor, person.label);
    write(done.text);
    setCursor(done.cursor);
    setPutCursor(done.cursor);
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
      isMentioning: within && names.length > 0,
      canSend: within && text.trim() !== "",
      send,
      choose: () => choose(highlighted),
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
      <MentionField
        field={field}
        id={id}
        text={text}
        names={names}
        placeholder={t("placeholder")}
        listLabel={t("people")}
        onText={(next, position) => {
          write(next);
          setCursor(position);
          if (mention === null) setClosed(null);
        }}
        onCursor={setCursor}
        onFocus={() => setWithin(true)}
        onBlur={() => setWithin(false)}
        onHighlight={setHighlighted}
        onChoose={choose}
        onClose={() => setClosed(mention?.start ?? null)}
        testId="comment"
      />
      {unknown.length > 0 && (
        <p className={`tiny ${styles.unknownMention}`} role="status" data-testid="mention-unknown">
          {t("unknown", { name: unknown[0] })}<Gap />{offered.length > 0 ? t("mentionable", { names: format.list(offered) }) : t("noOne")}
        </p>
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
