/** The buttons of one run; cancelling is confirmed. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";
import type { RunControls } from "./useRunControls";
import styles from "./run.module.css";

const KEYS = { pause: "s", resume: "s", retry: "r" } as const;

export function RunButtons({
  controls,
  failed,
  keys = false,
  small = false,
  asking: askingFirst = false,
}: {
  controls: RunControls;
  /** How many inputs a retry would take up again. */
  failed: number;
  /** Whether the page's keys do the same, and the buttons print them. */
  keys?: boolean;
  small?: boolean;
  /** Starts with the confirmation open: the command came from elsewhere. */
  asking?: boolean;
}) {
  const { t } = useTranslation("runs");
  const [asking, setAsking] = useState(askingFirst);
  const { can, perform, busy } = controls;
  return (
    <div className={styles.buttons}>
      {(["pause", "resume", "retry"] as const).filter(can).map((control) => (
        <Button
          key={control}
          small={small}
          look={control === "resume" && keys ? "primary" : undefined}
          keys={keys ? KEYS[control] : undefined}
          busy={busy === control}
          onClick={() => perform(control)}
          data-testid={`run-${control}`}
        >
          {control !== "retry" ? t(`action.${control}`) : failed > 0 ? t("retryFailed", { number: failed }) : t("again")}
        </Button>
      ))}
      {can("cancel") &&
        (asking ? (
          <span className={styles.asking} role="group" aria-label={t("cancel.ask")}>
            <span>{t("cancel.ask")}</span>
            <Button
              small={small}
              look="danger"
              busy={busy === "cancel"}
              onClick={() => {
                setAsking(false);
                perform("cancel");
              }}
              data-testid="run-cancel-confirm"
            >
              {t("cancel.confirm")}
            </Button>
            <Button small={small} onClick={() => setAsking(false)}>
              {t("cancel.not")}
            </Button>
          </span>
        ) : (
          <Button small={small} look="plain" onClick={() => setAsking(true)} data-testid="run-cancel">
            {t("action.cancel")}
          </Button>
        ))}
      {controls.error && <Problem error={controls.error} />}
    </div>
  );
}
