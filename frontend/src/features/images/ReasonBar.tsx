import { useTranslation } from "react-i18next";
import type { Reason } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { KeyCap } from "@/ui/keys";

/** What can be decided about the chosen pictures, with the keys that do it. */
export function ReasonBar({
  reasons,
  count,
  onAccept,
  onRefuse,
  onClear,
}: {
  reasons: readonly Reason[];
  count: number;
  onAccept: () => void;
  onRefuse: (reason: Reason) => void;
  onClear: (() => void) | undefined;
}) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  return (
    <div className="reasonbar" role="toolbar" aria-label={t("decide")} data-testid="reason-bar">
      <span className="dim number">{t("chosen", { count })}</span>
      <button type="button" className="button button-small button-primary" onClick={onAccept} data-testid="accept">
        {t("action.accept")} <KeyCap keys="a" />
      </button>
      {onClear && (
        <button type="button" className="button button-small" onClick={onClear} data-testid="clear">
          {t("action.clear")} <KeyCap keys="p" />
        </button>
      )}
      <span className="dim">{t("refuseAs")}</span>
      <span className="chips">
        {reasons.slice(0, 9).map((reason, i) => (
          <button key={reason.code} type="button" className="chip" onClick={() => onRefuse(reason)} data-testid={`refuse-${reason.code}`}>
            <KeyCap keys={String(i + 1)} /> {name(reason.name)}
          </button>
        ))}
      </span>
    </div>
  );
}
