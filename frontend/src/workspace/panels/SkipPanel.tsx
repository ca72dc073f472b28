/** Leaves an item out: reasons from the protocol by number, or words of one's own. It can be written after all later. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Reason } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { KeyCap, useActions } from "@/ui/keys";
import { skipActions } from "./actions";
import styles from "./panels.module.css";
import workspaceStyles from "../workspace.module.css";

export interface SkipReason {
  readonly reasons: readonly string[];
  readonly comment: string;
}

interface SkipPanelProps {
  reasons: readonly Reason[];
  lang: string;
  onSkip: (why: SkipReason) => void;
  onClose: () => void;
}

export function SkipPanel({ reasons, lang, onSkip, onClose }: SkipPanelProps) {
  const { t } = useTranslation("workspace");
  const name = useLocalised();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [comment, setComment] = useState("");
  const [lacks, setLacks] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  const words = useRef<HTMLTextAreaElement>(null);
  useEffect(() => (reasons.length > 0 ? list : words).current?.focus(), [reasons.length]);

  function toggle(code: string) {
    setLacks(false);
    setChosen(chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code]);
  }
  function confirm() {
    if (chosen.length === 0 && comment.trim() === "") setLacks(true);
    else onSkip({ reasons: chosen, comment: comment.trim() });
  }
  useActions(
    skipActions,
    {
      count: reasons.length,
      choose: (index) => {
        const reason = reasons[index];
        if (reason) toggle(reason.code);
      },
      confirm,
      close: onClose,
    },
    { exclusive: true },
  );

  return (
    <section className={styles.skipPanel} aria-labelledby="skip-title">
      <h2 id="skip-title">{t("skip.title")}</h2>
      <p className="tiny">{t("skip.lead")}</p>
      {reasons.length > 0 && (
        <fieldset ref={list} tabIndex={-1} aria-labelledby="skip-title">
          {reasons.map((reason, index) => (
            <label key={reason.code}>
              <input
                type="checkbox"
                checked={chosen.includes(reason.code)}
                onChange={() => toggle(reason.code)}
                data-testid={`skip-${reason.code}`}
              />
              <span>{name(reason.name)}</span>
              {index < 9 && <KeyCap keys={String(index + 1)} />}
            </label>
          ))}
        </fieldset>
      )}
      <label className={styles.skipWords}>
        <span className="tiny">{reasons.length > 0 ? t("skip.more") : t("skip.words")}</span>
        <textarea
          ref={words}
          className="input"
          rows={3}
          lang={lang}
          maxLength={2000}
          value={comment}
          onChange={(event) => {
            setLacks(false);
            setComment(event.target.value);
          }}
          data-testid="skip-comment"
        />
      </label>
      <p className={workspaceStyles.workspaceHint} role="alert">
        {lacks && t("skip.lacks")}
      </p>
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" onClick={confirm} data-testid="skip-confirm">
          {t("skip.confirm")}
        </Button>
        <Button keys="Escape" onClick={onClose}>
          {t("ui:cancel")}
        </Button>
      </div>
    </section>
  );
}
