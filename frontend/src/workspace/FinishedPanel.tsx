/** No item of the package is left to write: what comes next, or which texts the server did not take. */
import { useTranslation } from "react-i18next";
import type { Package } from "@/api/types";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { finishedActions } from "./actions";
import styles from "./workspace.module.css";

interface FinishedPanelProps {
  package: Package;
  written: number;
  waiting: number;
  /** Texts of this package that wait for a decision: refused, or in conflict. */
  undecided: number;
  onUndecided: () => void;
  hasPrevious: boolean;
  onCheck: () => void;
  onPrevious: () => void;
  onLeave: () => void;
}

export function FinishedPanel({
  package: pkg,
  written,
  waiting,
  undecided,
  onUndecided,
  hasPrevious,
  onCheck,
  onPrevious,
  onLeave,
}: FinishedPanelProps) {
  const { t } = useTranslation("workspace");
  useActions(finishedActions, { hasPrevious, check: onCheck, previous: onPrevious, leave: onLeave });
  return (
    <div className={styles.workspaceFinished} data-testid="finished">
      <h2>{t(undecided > 0 ? "finished.undecidedTitle" : "finished.title", { label: pkg.label })}</h2>
      {undecided > 0 && (
        <Notice tone="bad" action={<Button look="primary" onClick={onUndecided} data-testid="to-undecided">{t("finished.toUndecided")}</Button>}>
          {t("finished.undecided", { count: undecided })}
        </Notice>
      )}
      <p className="dim">{t("finished.text", { written, size: pkg.size })}</p>
      {waiting > 0 && <p className="dim">{t("finished.waiting", { count: waiting })}</p>}
      <div className="row-actions">
        <Button look={undecided > 0 ? "plain" : "primary"} keys="Enter" onClick={onCheck} data-testid="to-self-check">
          {t("finished.check")}
        </Button>
      </div>
    </div>
  );
}
