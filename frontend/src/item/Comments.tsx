/** What people say about an item, oldest first, and a place to say something; the same in the desk, on sheets and on its page. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { queryKey, useRead } from "@/api/queries";
import { useMe } from "@/api/session";
import { useStore } from "@/store/useStore";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { useErrorText } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { CommentForm } from "./CommentForm";
import { pieces, type Mentionable } from "./mentions";
import type { OutgoingComment } from "./outgoing";
import { outgoingOf, type Comment } from "./outgoingOf";
import { labelled } from "./people";
import styles from "./comments.module.css";

/** Milliseconds between looks for what others say while the comments are open and the page is visible. */
const EVERY_MS = 30_000;

interface CommentsProps {
  itemId: number;
  /** Puts the cursor into the field at once. */
  focus?: boolean;
  /** Escape in the field: back to what surrounds it. */
  onLeave?: () => void;
  /** How many comments there are, whenever that is known again. */
  onCount?: (count: number) => void;
}

export function Comments({ itemId, focus = false, onLeave, onCount }: CommentsProps) {
  const { t } = useTranslation("comments");
  const queries = useQueryClient();
  const outgoing = outgoingOf(useMe().id);
  const waiting = useStore(outgoing).entries.filter(({ work }) => work.item === itemId);
  const comments = useRead("comment_list", { path: { id: itemId } }, { fresh: true, refetchInterval: EVERY_MS });
  const people = useRead("item_people", { path: { id: itemId } }, { staleTime: 60_000 });
  const mentionable = useMemo(
    () => labelled(people.data ?? [], (part) => t(`part.${part}`)),
    [people.data, t],
  );

  useEffect(
    () =>
      outgoing.onResults((answered) => {
        for (const { entry, answer } of answered) {
          if (answer === null) continue;
          queries.setQueryData<Comment[]>(queryKey("comment_list", { path: { id: entry.work.item } }), (old) =>
            old && !old.some(({ id }) => id === answer.id) ? [...old, answer] : old,
          );
        }
      }),
    [outgoing, queries],
  );
  const count = comments.data?.length;
  const reportCount = useEffectEvent((known: number) => onCount?.(known));
  useEffect(() => {
    if (count !== undefined) reportCount(count);
  }, [count]);

  return (
    <div className={styles.comments} data-testid="comments">
      <Loaded of={comments}>
        {(list) =>
          list.length === 0 && waiting.length === 0 ? (
            <p className={styles.commentsNone}>{t("none")}</p>
          ) : (
            <ol>
              {list.map((comment) => (
                <Said key={comment.id} comment={comment} people={mentionable} />
              ))}
              {waiting.map((comment) => (
                <Unsent key={comment.key} comment={comment} onDrop={() => outgoing.drop(comment.subject)} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <CommentForm
        itemId={itemId}
        people={mentionable}
        focus={focus}
        onSend={(text, mentions) => outgoing.comment(itemId, text, mentions)}
        onLeave={onLeave}
      />
    </div>
  );
}

function Said({ comment, people }: { comment: Comment; people: readonly Mentionable[] }) {
  const { t } = useTranslation("comments");
  // Names as they were written and as people are called here: in another language a part is called otherwise.
  const named = [
    ...comment.mentions.flatMap(({ id, name }) => (name === null ? [] : [{ id, label: name }])),
    ...people.filter(({ id }) => comment.mentions.some((mention) => mention.id === id)),
  ];
  return (
    <li className={comment.mine ? `${styles.comment} is-mine` : styles.comment}>
      <p className="tiny">
        <b>{comment.mine ? t("me") : (comment.author?.name ?? t(`part.${comment.part}`))}</b>
        {comment.author !== null && <Chip>{t(`part.${comment.part}`)}</Chip>}
        <Time at={comment.created_at} />
      </p>
      <p className={styles.commentText}>
        {pieces(comment.text, named).map((piece, index) =>
          piece.person === null ? <span key={index}>{piece.text}</span> : <b key={index}>{piece.text}</b>,
        )}
      </p>
    </li>
  );
}

function Unsent({ comment, onDrop }: { comment: OutgoingComment; onDrop: () => void }) {
  const { t } = useTranslation("comments");
  const errorText = useErrorText();
  const refused = comment.state === "refused" ? comment.error : null;
  return (
    <li className={`${styles.comment} is-mine`} data-testid="comment-unsent">
      <p className="tiny">
        <b>{t("me")}</b>
        <Chip tone={refused ? "bad" : "warn"}>{refused ? t("refused") : t("waiting")}</Chip>
        <Time at={new Date(comment.work.at).toISOString()} />
      </p>
      <p className={styles.commentText}>{comment.work.text}</p>
      {refused && (
        <p className={styles.commentRefused} role="alert">
          {errorText(refused)}{" "}
          <button type="button" className="linklike" onClick={onDrop}>
            {t("drop")}
          </button>
        </p>
      )}
    </li>
  );
}
