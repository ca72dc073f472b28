import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Reason } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { KeyCap } from "@/ui/keys";
import type { Subset } from "../protocol";

interface Props {
  reasons: readonly Reason[];
  subsets: readonly Subset[];
  count: number;
  status?: ReactNode;
  mayJudge: boolean;
  mayClear: boolean;
  canUndo: boolean;
  onAccept: () => void;
  onAcceptIn: (subset: Reason) => void;
  onRefuse: (reason: Reason) => void;
  onClear: () => void;
  onUndo: () => void;
  /** Left out where the picture is shown large already. */
  onOpen: (() => void) | undefined;
}

/** What can be decided about the chosen pictures, with the keys that do it. */
export function DecideBar({ reasons, subsets, count, status, mayJudge, mayClear, canUndo, onAccept, onAcceptIn, onRefuse, onClear, onUndo, onOpen }: Props) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  return (
    <div className="reasonbar" role="toolbar" aria-label={t("decide")} data-testid="reason-bar">
      <span className="dim number">{t("chosen", { count })}</span>
      {status}
      {mayJudge && (
        <>
          <button type="button" className="button button-small button-primary" onClick={onAccept} data-testid="accept">
            {t("action.accept")} <KeyCap keys="a" />
          </button>
          {subsets.map((subset) => (
            <button key={subset.code} type="button" className="button button-small" title={name(subset.rule)} onClick={() => onAcceptIn(subset)} data-testid={`accept-${subset.code}`}>
              {name(subset.name)} <KeyCap keys={`Shift+${subset.code.toLowerCase()}`} />
            </button>
          ))}
        </>
      )}
      {mayClear && (
        <button type="button" className="button button-small" onClick={onClear} data-testid="clear">
          {t("action.clear")} <KeyCap keys="p" />
        </button>
      )}
      <button type="button" className="button button-small" disabled={!canUndo} onClick={onUndo} data-testid="undo">
        {t("action.undo")} <KeyCap keys="z" />
      </button>
      {onOpen && (
        <button type="button" className="button button-small only-touch" onClick={onOpen} data-testid="open-large">
          {t("action.open")}
        </button>
      )}
      {mayJudge && (
        <span className="chips reasonbar-reasons">
          <span className="dim">{t("refuseAs")}</span>
          {reasons.map((reason, i) => (
            <button key={reason.code} type="button" className="chip" onClick={() => onRefuse(reason)} data-testid={`refuse-${reason.code}`}>
              {i < 9 && <KeyCap keys={String(i + 1)} />} {name(reason.name)}
            </button>
          ))}
        </span>
      )}
    </div>
  );
}
