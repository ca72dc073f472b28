/** Why an item is returned or skipped: reasons of the protocol, chosen by number, and a comment. One of the two is required. */
import { useState, type RefObject } from "react";
import type { Reason } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { KeyCap } from "@/ui/keys";
import styles from "./reasons.module.css";

export interface Why {
  readonly reasons: string[];
  readonly comment: string;
}

/** `before`: the reasons of a verdict that was undone, to begin with. */
export function useReasons(reasons: readonly Reason[], onConfirm: (why: Why) => void, before?: Why) {
  const [chosen, setChosen] = useState<readonly string[]>(before?.reasons ?? []);
  const [comment, setComment] = useState(before?.comment ?? "");
  const [isMissing, setIsMissing] = useState(false);

  function toggle(code: string) {
    setIsMissing(false);
    setChosen(chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code]);
  }
  return {
    reasons,
    chosen,
    comment,
    isMissing,
    toggle,
    toggleAt: (index: number) => {
      const reason = reasons[index];
      if (reason) toggle(reason.code);
    },
    write: (text: string) => {
      setIsMissing(false);
      setComment(text);
    },
    confirm: () => {
      if (chosen.length === 0 && comment.trim() === "") setIsMissing(true);
      else onConfirm({ reasons: [...chosen], comment: comment.trim() });
    },
  };
}

export function ReasonFields({
  of,
  lang,
  commentLabel,
  missing,
  rows,
  commentField,
  testId,
}: {
  of: ReturnType<typeof useReasons>;
  /** Language of the comment: a BCP 47 tag. */
  lang: string;
  commentLabel: string;
  /** Shown when neither a reason nor a comment was given. */
  missing: string;
  rows: number;
  commentField?: RefObject<HTMLTextAreaElement | null>;
  testId: string;
}) {
  const name = useLocalised();
  return (
    <>
      {of.reasons.length > 0 && (
        <ul className={styles.list}>
          {of.reasons.map(({ code, name: text }, index) => (
            <li key={code}>
              <label>
                <input type="checkbox" checked={of.chosen.includes(code)} onChange={() => of.toggle(code)} data-testid={`${testId}-${code}`} />
                <span>{name(text)}</span>
                {index < 9 && <KeyCap keys={String(index + 1)} />}
              </label>
            </li>
          ))}
        </ul>
      )}
      <label className={styles.comment}>
        <span className="tiny">{commentLabel}</span>
        <textarea
          ref={commentField}
          className="input"
          rows={rows}
          lang={lang}
          maxLength={2000}
          value={of.comment}
          onChange={(event) => of.write(event.target.value)}
          data-testid={`${testId}-comment`}
        />
      </label>
      <p className={styles.missing} role="alert">
        {of.isMissing && missing}
      </p>
    </>
  );
}
