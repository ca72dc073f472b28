/** A button that asks before it does something that cannot be undone. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";

interface AskFirstProps {
  open: string;
  question: string;
  confirm: string;
  isBusy: boolean;
  /** Why it was not done, where the page does not show that elsewhere. */
  error?: ApiError | null;
  onConfirm: () => void;
  testId: string;
}

export function AskFirst({ open, question, confirm, isBusy, error, onConfirm, testId }: AskFirstProps) {
  const { t } = useTranslation("ui");
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <div className="row-actions">
        <Button small look="plain" onClick={() => setAsking(true)} data-testid={testId}>
          {open}
        </Button>
      </div>
    );
  }
  return (
    <div role="group" aria-label={open}>
      <p>{question}</p>
      {error && <Problem error={error} />}
      <div className="row-actions">
        <Button small look="danger" autoFocus busy={isBusy} onClick={onConfirm} data-testid={`${testId}-confirm`}>
          {confirm}
        </Button>
        <Button small onClick={() => setAsking(false)}>
          {t("cancel")}
        </Button>
      </div>
    </div>
  );
}
