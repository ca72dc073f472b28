import { useEffect, useRef, type ReactNode, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import { confirmationActions } from "./actions";
import styles from "./releases.module.css";

/** A confirmation in place; the page's own keys are disabled while it is open. */
export function Confirmation({
  title,
  go,
  look = "primary",
  ready = true,
  busy,
  error,
  onConfirm,
  onCancel,
  testId,
  children,
}: {
  title: string;
  /** The confirming button's text. */
  go: string;
  look?: "primary" | "danger";
  ready?: boolean;
  busy: boolean;
  error: ApiError | null;
  onConfirm: () => void;
  onCancel: () => void;
  testId: string;
  children: ReactNode;
}) {
  const { t } = useTranslation("releases");
  const can = ready && !busy;
  const confirm = () => {
    if (can) onConfirm();
  };
  const form = useRef<HTMLFormElement>(null);
  // Focuses the first field; without fields the question itself, so that Enter alone confirms nothing.
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>("select, textarea, input:checked, input:not([type=radio]), [aria-pressed]");
    (first ?? form.current?.querySelector("h2"))?.focus();
  }, []);
  useActions(confirmationActions, { ready: can, confirm, cancel: onCancel }, { exclusive: true });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    confirm();
  };
  return (
    <form ref={form} className={`form ${styles.confirmation}`} onSubmit={submit} aria-label={title} data-testid={testId}>
      <h2 tabIndex={-1}>{title}</h2>
      {children}
      {error && <Problem error={error} />}
      <div className="row-actions">
        <Button type="submit" look={look} keys="Mod+Enter" busy={busy} disabled={!ready} data-testid={`${testId}-confirm`}>
          {go}
        </Button>
        <Button keys="Escape" onClick={onCancel} data-testid={`${testId}-cancel`}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}
