/** An administrator takes a submission off the leaderboard, with a reason that its owners read. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { SubmissionDetail } from "@/api/types";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";

const LONGEST_REASON = 500;

export function Hide({ of }: { of: SubmissionDetail }) {
  const { t } = useTranslation("submissions");
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const hide = useWrite("submission_hide");
  if (!of.available_actions.includes("submission_hide")) return null;
  if (!asking) {
    return (
      <p>
        <Button small look="danger" onClick={() => setAsking(true)} data-testid="submission-hide">
          {t(of.listed ? "hide.open" : "hide.openBefore")}
        </Button>
      </p>
    );
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        hide.mutate({ path: { id: of.id }, body: { reason: reason.trim() } });
      }}
    >
      <TextField label={t("hide.reason")} hint={t("hide.reasonHint")} value={reason} maxLength={LONGEST_REASON} autoFocus onChange={(event) => setReason(event.target.value)} data-testid="submission-hide-reason" />
      {hide.error && <Problem error={hide.error} />}
      <div className="row-actions">
        <Button type="submit" small look="danger" disabled={reason.trim() === ""} busy={hide.isPending} data-testid="submission-hide-go">
          {t(of.listed ? "hide.go" : "hide.goBefore")}
        </Button>
        <Button small onClick={() => setAsking(false)}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}

/** Says that it is hidden and why, and lets administrators undo that. */
export function Hidden({ of }: { of: SubmissionDetail }) {
  const { t } = useTranslation("submissions");
  const unhide = useWrite("submission_unhide");
  if (of.hidden_reason === "") return null;
  return (
    <Notice tone="warn">
      <p data-testid="submission-hidden">{t("hide.hidden", { reason: of.hidden_reason })}</p>
      {unhide.error && <Problem error={unhide.error} />}
      {of.available_actions.includes("submission_unhide") && (
        <p>
          <Button small busy={unhide.isPending} onClick={() => unhide.mutate({ path: { id: of.id } })} data-testid="submission-unhide">
            {t("hide.undo")}
          </Button>
        </p>
      )}
    </Notice>
  );
}
