/** Asks why a dialogue is left for good, and says what becomes of it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Dialogue } from "@/api/types";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Modal } from "@/ui/Modal";
import { Problem } from "@/ui/Problem";
import { leavingActions } from "../actions";
import { REASONS, type LeaveReason } from "../talk";
import styles from "./chat.module.css";

export function LeaveForm({ dialogue: { id, part }, onClose }: { dialogue: Dialogue; onClose: () => void }) {
  const { t } = useTranslation("dialogues");
  return (
    <Modal onClose={onClose} label={t("leave.title")} className={`card ${styles.leaving}`} testId="leave-form">
      <h2>{t("leave.title")}</h2>
      <p>{t("leave.text")}</p>
      <Reasons id={id} part={part} onClose={onClose} />
    </Modal>
  );
}

/** Inside of the dialog, so that its keys come before those of the page. */
function Reasons({ id, part, onClose }: { id: number; part: Dialogue["part"]; onClose: () => void }) {
  const { t } = useTranslation("dialogues");
  const [reason, setReason] = useState<LeaveReason | null>(null);
  const write = useWrite("dialogue_leave");
  const confirm = reason === null || write.isPending ? null : () => write.mutate({ path: { id }, body: { reason } }, { onSuccess: onClose });
  useActions(leavingActions, { confirm, cancel: onClose });
  return (
    <>
      <fieldset className={styles.reasons}>
        <legend>{t("leave.reason")}</legend>
        {REASONS[part].map((one, index) => (
          <label key={one} className="check">
            <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} data-first-focus={index === 0 ? "" : undefined} data-testid={`reason-${one}`} />{" "}
            {t(`leave.reasons.${one}`)}
          </label>
        ))}
      </fieldset>
      {write.error && <Problem error={write.error} />}
      <div className="row-actions">
        <Button look="danger" keys="Mod+Enter" busy={write.isPending} disabled={reason === null} onClick={() => confirm?.()} data-testid="leave-confirm">
          {t("leave.confirm")}
        </Button>
        <Button keys="Escape" onClick={onClose} data-testid="leave-cancel">
          {t("leave.cancel")}
        </Button>
      </div>
    </>
  );
}
