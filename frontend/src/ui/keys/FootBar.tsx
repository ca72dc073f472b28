import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { keepFocus } from "./keepFocus";
import { KeyCap } from "./KeyCap";
import { useBoundActions } from "./useActions";
import "./keys.css";

/** What stays on a telephone, which has no keys: the list of all keys, and the commands. */
const TOUCH: readonly string[] = ["keys.help", "keys.palette"];

/** The strip at the foot of a screen: the keys that work now, printed from the actions. A click does what the key does. */
export function FootBar({ children }: { children?: ReactNode }) {
  const { t } = useTranslation("ui");
  const actions = useBoundActions().filter((action) => action.foot && action.enabled);
  return (
    <footer className="footbar" aria-label={t("keys.foot")}>
      <ul>
        {actions.map((action) => (
          <li key={action.name} data-touch={TOUCH.includes(action.name) || undefined}>
            <button
              type="button"
              // Its key is nearer than the way here by Tab.
              tabIndex={-1}
              aria-pressed={action.pressed}
              onMouseDown={keepFocus}
              onClick={() => action.perform()}
              data-testid={`foot-${action.name}`}
            >
              {action.keys[0] !== undefined && <KeyCap keys={action.keys[0]} />} {t(action.label, action.values)}
            </button>
          </li>
        ))}
      </ul>
      {children !== undefined && <div className="footbar-end">{children}</div>}
    </footer>
  );
}
