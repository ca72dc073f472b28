/** Withdraws a picture from all future releases, or restores it. */
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import type { ImageDetail, Reason } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import styles from "./page.module.css";

export function Withdraw({ image, reasons, releases }: { image: ImageDetail; reasons: readonly Reason[]; releases: number }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [comment, setComment] = useState("");
  const [typed, setTyped] = useState("");
  const write = useWrite("image_take_down");
  const form = useRef<HTMLFormElement>(null);
  // The form opens where the button was, often at the lower edge of the screen: without this it is not seen.
  useEffect(() => {
    if (!isOpen) return;
    form.current?.scrollIntoView({ block: "nearest" });
    form.current?.querySelector("select")?.focus({ preventScroll: true });
  }, [isOpen]);
  if (!isOpen) {
    return (
      <Button look="danger" onClick={() => setIsOpen(true)} data-testid="withdraw-picture">
        {t("withdrawal.open")}
      </Button>
    );
  }
  const isReady = reason !== "" && typed.trim() === image.label;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady) return;
    write.mutate(
      { path: { id: image.id }, body: { reason, comment: comment.trim() } },
      {
        onSuccess: () => toasts.show(t("withdrawal.done", { label: image.label })),
      },
    );
  };
  return (
    <form ref={form} className={`form ${styles.withdrawForm}`} onSubmit={submit} data-testid="withdraw-picture-form">
      <p>{t("withdrawal.text")}</p>
      {releases > 0 && <p className={styles.withdrawReleases}>{t("withdrawal.releases", { count: releases })}</p>}
      <SelectField label={t("withdrawal.reason")} value={reason} onChange={(event) => setReason(event.target.value)} data-testid="withdraw-picture-reason">
        <option value="">{t("intake.choose")}</option>
        {reasons.map((one) => (
          <option key={one.code} value={one.code}>
            {name(one.name)}
          </option>
        ))}
      </SelectField>
      <TextField label={t("withdrawal.comment")} value={comment} maxLength={2000} onChange={(event) => setComment(event.target.value)} data-testid="withdraw-picture-comment" />
      <TextField
        label={t("withdrawal.confirm", { label: image.label })}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        data-testid="withdraw-picture-confirm"
      />
      <FormFoot look="danger" text={t("withdrawal.send")} isReady={isReady} write={write} onCancel={() => setIsOpen(false)} testId="withdraw-picture-send" />
    </form>
  );
}

export function Restore({ image }: { image: ImageDetail }) {
  const { t } = useTranslation("images");
  const [isOpen, setIsOpen] = useState(false);
  const [comment, setComment] = useState("");
  const write = useWrite("image_restore");
  if (!isOpen) {
    return (
      <Button onClick={() => setIsOpen(true)} data-testid="restore">
        {t("withdrawal.restore")}
      </Button>
    );
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    write.mutate(
      { path: { id: image.id }, body: { reason: "", comment: comment.trim() } },
      { onSuccess: () => toasts.show(t("withdrawal.restored", { label: image.label })) },
    );
  };
  return (
    <form className="form" onSubmit={submit} data-testid="restore-form">
      <TextField label={t("withdrawal.restoreWhy")} value={comment} maxLength={2000} onChange={(event) => setComment(event.target.value)} data-testid="restore-comment" />
      <FormFoot look="primary" text={t("withdrawal.restore")} write={write} onCancel={() => setIsOpen(false)} testId="restore-send" />
    </form>
  );
}

interface FormFootProps {
  look: "primary" | "danger";
  /** The submitting button's text. */
  text: string;
  isReady?: boolean;
  write: { error: ApiError | null; isPending: boolean };
  onCancel: () => void;
  testId: string;
}

function FormFoot({ look, text, isReady = true, write, onCancel, testId }: FormFootProps) {
  const { t } = useTranslation("images");
  return (
    <>
      {write.error && <Problem error={write.error} />}
      <div className="row-actions">
        <Button type="submit" look={look} disabled={!isReady} busy={write.isPending} data-testid={testId}>
          {text}
        </Button>
        <Button look="plain" onClick={onCancel}>
          {t("ui:cancel")}
        </Button>
      </div>
    </>
  );
}
