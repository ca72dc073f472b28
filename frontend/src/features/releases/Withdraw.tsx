import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { ReleaseDetail } from "@/api/types";
import { TextField } from "@/ui/Field";
import { toasts } from "@/ui/toasts";
import { Confirmation } from "./Confirmation";

/** Withdraws a release permanently; asks for a reason and for the release's name. */
export function Withdraw({ release, onClose }: { release: ReleaseDetail; onClose: () => void }) {
  const { t } = useTranslation("releases");
  const id = useId();
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const write = useWrite("release_withdraw");
  const confirm = () =>
    write.mutate(
      { path: { id: release.id }, body: { reason: reason.trim() } },
      {
        onSuccess: () => {
          toasts.show(t("withdraw.done", { label: release.label }));
          onClose();
        },
      },
    );
  return (
    <Confirmation
      title={t("withdraw.title", { label: release.label })}
      go={t("withdraw.go")}
      look="danger"
      ready={reason.trim() !== "" && typed.trim() === release.label}
      busy={write.isPending}
      error={write.error}
      onConfirm={confirm}
      onCancel={onClose}
      testId="withdraw"
    >
      <p>{t(release.frozen_at === null ? "withdraw.textEarly" : "withdraw.text")}</p>
      <p>
        <b>{t("irreversible")}</b>
      </p>
      <div className="field">
        <label className="label" htmlFor={`${id}-reason`}>
          {t("withdraw.reason")}
        </label>
        <textarea
          id={`${id}-reason`}
          className="input"
          rows={2}
          maxLength={1000}
          required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          data-testid="withdraw-reason"
        />
      </div>
      <TextField
        label={t("withdraw.type", { label: release.label })}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        data-testid="withdraw-label"
      />
    </Confirmation>
  );
}
