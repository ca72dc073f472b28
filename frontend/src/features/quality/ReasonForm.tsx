/** A form for giving reasons: codes of the protocol by number, and a comment. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Reason } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { KeyCap, useActions } from "@/ui/keys";
import { reasonActions } from "./actions";
import styles from "./quality.module.css";

interface ReasonFormProps {
  reasons: readonly Reason[];
  title: string;
  confirm: string;
  lang: string;
  onConfirm: (reasons: string[], comment: string) => void;
  onCancel: () => void;
}

export function ReasonForm({ reasons, title, confirm, lang, onConfirm, onCancel }: ReasonFormProps) {
  const { t } = useTranslation("quality");
  const name = useLocalised();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [comment, setComment] = useState("");
  const [lacks, setLacks] = useState(false);
  const form = useRef<HTMLFieldSetElement>(null);

  useEffect(() => {
    form.current?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);

  function toggle(code: string) {
    setLacks(false);
    setChosen(chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code]);
  }
  function give() {
    if (chosen.length === 0 && comment.trim() === "") {
      setLacks(true);
      return;
    }
    onConfirm([...chosen], comment.trim());
  }

  useActions(
    reasonActions,
    {
      toggle: (index) => {
        const reason = reasons[index];
        if (reason) toggle(reason.code);
      },
      count: reasons.length,
      confirm: give,
      cancel: onCancel,
    },
    { exclusive: true },
  );

  return (
    <fieldset className={styles.reasonForm} ref={form} tabIndex={-1} data-testid="reason-form">
      <legend>{title}</legend>
      <ul>
        {reasons.map((reason, index) => (
          <li key={reason.code}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(reason.code)}
                onChange={() => toggle(reason.code)}
                data-testid={`reason-${reason.code}`}
              />
              <span>{name(reason.name)}</span>
              {index < 9 && <KeyCap keys={String(index + 1)} />}
            </label>
          </li>
        ))}
      </ul>
      <label className={styles.reasonComment}>
        <span className="tiny">{t("comment")}</span>
        <textarea
          className="input"
          rows={2}
          lang={lang}
          maxLength={2000}
          value={comment}
          onChange={(event) => {
            setLacks(false);
            setComment(event.target.value);
          }}
          data-testid="reason-comment"
        />
      </label>
      <p className={styles.reasonLacks} role="alert">
        {lacks && t("reasonLacks")}
      </p>
      <div className="row-actions">
        <Button small look="primary" keys="Mod+Enter" onClick={give} data-testid="reason-confirm">
          {confirm}
        </Button>
        <Button small keys="Escape" onClick={onCancel}>
          {t("ui:cancel")}
        </Button>
      </div>
    </fieldset>
  );
}
