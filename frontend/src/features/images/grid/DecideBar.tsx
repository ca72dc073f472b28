import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocalised } from "@/i18n/localised";
import { KeyCap } from "@/ui/keys";
import type { PictureRules } from "../protocol";
import type { GridContext } from "./gridActions";
import touchStyles from "../touch.module.css";
import styles from "./grid.module.css";

interface Props {
  /** What the grid's keys do as well. */
  decisions: Pick<GridContext, "mayJudge" | "mayClear" | "canUndo" | "accept" | "acceptIn" | "refuse" | "clear" | "undo">;
  rules: PictureRules;
  count: number;
  status?: ReactNode;
  /** Left out where the picture is shown large already. */
  onOpen: (() => void) | undefined;
}

/** What can be decided about the chosen pictures, with the keys that do it. */
export function DecideBar({ decisions, rules, count, status, onOpen }: Props) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  return (
    <div className={styles.reasonbar} role="toolbar" aria-label={t("decide")} data-testid="reason-bar">
      <span className="dim number">{t("chosen", { count })}</span>
      {status}
      {decisions.mayJudge && (
        <>
          <button type="button" className="button button-small button-primary" onClick={decisions.accept} data-testid="accept">
            {t("action.accept")} <KeyCap keys="a" />
          </button>
          {rules.subsets.map((subset) => (
            <button key={subset.code} type="button" className="button button-small" title={name(subset.rule)} onClick={() => decisions.acceptIn(subset)} data-testid={`accept-${subset.code}`}>
              {name(subset.name)} <KeyCap keys={`Shift+${subset.code.toLowerCase()}`} />
            </button>
          ))}
        </>
      )}
      {decisions.mayClear && (
        <button type="button" className="button button-small" onClick={decisions.clear} data-testid="clear">
          {t("action.clear")} <KeyCap keys="p" />
        </button>
      )}
      <button type="button" className="button button-small" disabled={!decisions.canUndo} onClick={decisions.undo} data-testid="undo">
        {t("action.undo")} <KeyCap keys="z" />
      </button>
      {onOpen && (
        <button type="button" className={`button button-small ${touchStyles.onlyTouch}`} onClick={onOpen} data-testid="open-large">
          {t("action.open")}
        </button>
      )}
      {decisions.mayJudge && (
        <span className={`chips ${styles.reasonbarReasons}`}>
          <span className="dim">{t("refuseAs")}</span>
          {rules.refusalReasons.map((reason, i) => (
            <button key={reason.code} type="button" className="chip" onClick={() => decisions.refuse(reason)} data-testid={`refuse-${reason.code}`}>
              {i < 9 && <KeyCap keys={String(i + 1)} />} {name(reason.name)}
            </button>
          ))}
        </span>
      )}
    </div>
  );
}
