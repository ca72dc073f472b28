/** A form for giving reasons: codes of the protocol by number, and a comment. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import type { Reason } from "@/api/types";
import { ReasonFields, useReasons, type Why } from "@/item/Reasons";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import { reasonActions } from "./actions";
import styles from "./quality.module.css";

interface ReasonFormProps {
  reasons: readonly Reason[];
  title: string;
  confirm: string;
  /** The message where neither a reason nor a comment was given. */
  missing?: string;
  lang: string;
  /** Reasons of a verdict that was undone. */
  before?: Why | undefined;
  /** Where the form stays open until the server has answered: whether it waits, and what was refused. */
  busy?: boolean;
  error?: ApiError | null;
  onConfirm: (reasons: string[], comment: string) => void;
  onCancel: () => void;
}

export function ReasonForm({ reasons, title, confirm, missing, lang, before, busy = false, error = null, onConfirm, onCancel }: ReasonFormProps) {
  const { t } = useTranslation("quality");
  const form = useRef<HTMLFieldSetElement>(null);
  const why = useReasons(reasons, (given) => onConfirm(given.reasons, given.comment), before);

  useEffect(() => {
    form.current?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);

  useActions(
    reasonActions,
    { toggle: why.toggleAt, count: reasons.length, confirm: why.confirm, cancel: onCancel },
    { exclusive: true },
  );

  return (
    <fieldset className={styles.reasonForm} ref={form} tabIndex={-1} data-testid="reason-form">
      <legend>{title}</legend>
      <ReasonFields of={why} lang={lang} commentLabel={t("comment")} missing={missing ?? t("reasonMissing")} rows={2} testId="reason" />
      {error && <Problem error={error} />}
      <div className="row-actions">
        <Button small look="primary" keys="Mod+Enter" busy={busy} onClick={why.confirm} data-testid="reason-confirm">
          {confirm}
        </Button>
        <Button small keys="Escape" onClick={onCancel}>
          {t("ui:cancel")}
        </Button>
      </div>
    </fieldset>
  );
}
