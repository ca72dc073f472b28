/** Every item of the package is written: what comes next. */
import { useTranslation } from "react-i18next";
import type { Package } from "@/api/types";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { finishedActions } from "./actions";
import styles from "./workspace.module.css";

interface FinishedPanelProps {
  package: Package;
  written: number;
  waiting: number;
  hasPrevious: boolean;
  onCheck: () => void;
  onPrevious: () => void;
  onLeave: () => void;
}

export function FinishedPanel({
  package: pkg,
  written,
  waiting,
  hasPrevious,
  onCheck,
  onPrevious,
  onLeave,
}: FinishedPanelProps) {
  const { t } = useTranslation("workspace");
  useActions(finishedActions, { hasPrevious, check: onCheck, previous: onPrevious, leave: onLeave });
  return (
    <div className={styles.workspaceFinished} data-testid="finished">
      <h2>{t("finished.title", { label: pkg.label })}</h2>
      <p className="dim">{t("finished.text", { written, size: pkg.size })}</p>
      {waiting > 0 && <p className="dim">{t("finished.waiting", { count: waiting })}</p>}
      <div className="row-actions">
        <Button look="primary" keys="Enter" onClick={onCheck} data-testid="to-self-check">
          {t("finished.check")}
        </Button>
      </div>
    </div>
  );
}
