/** Why something that was found stays visible: one of the usual reasons by its number, or words of one's own. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { KeyCap, useActions } from "@/ui/keys";
import { Modal } from "@/ui/Modal";
import { REASONS } from "./covers";
import { reasonActions } from "./reasonActions";
import styles from "./cover.module.css";

export const MOST_REASON = 200;

export function ReasonDialog({ name, onReason, onClose }: { name: string; onReason: (reason: string) => void; onClose: () => void }) {
  const { t } = useTranslation("images");
  return (
    <Modal onClose={onClose} label={t("cover.exempt.title", { name })} className={`card ${styles.dialog}`} testId="exempt-dialog">
      <Reasons name={name} onReason={onReason} onClose={onClose} />
    </Modal>
  );
}

function Reasons({ name, onReason, onClose }: { name: string; onReason: (reason: string) => void; onClose: () => void }) {
  const { t } = useTranslation("images");
  const [own, setOwn] = useState("");
  useActions(reasonActions, { nameOf: (code) => t(`cover.reason.${code}`), choose: onReason });
  const reason = own.trim();
  return (
    <>
      <h2>{t("cover.exempt.title", { name })}</h2>
      <p className="dim">{t("cover.exempt.text")}</p>
      <ul className={styles.reasons}>
        {REASONS.map((code, at) => (
          <li key={code}>
            <button type="button" className="chip" onClick={() => onReason(code)} data-testid={`exempt-${code}`}>
              <KeyCap keys={String(at + 1)} /> {t(`cover.reason.${code}`)}
            </button>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason !== "") onReason(reason);
        }}
      >
        <TextField label={t("cover.exempt.own")} value={own} maxLength={MOST_REASON} onChange={(event) => setOwn(event.target.value)} data-testid="exempt-own" />
        <div className={styles.dialogFoot}>
          <Button look="primary" type="submit" disabled={reason === ""}>
            {t("cover.exempt.save")}
          </Button>
          <Button onClick={onClose} data-first-focus="">
            {t("ui:cancel")}
          </Button>
        </div>
      </form>
    </>
  );
}
