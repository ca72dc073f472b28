import { useTranslation } from "react-i18next";
import "./ui.css";

type SaveStateName = "saved" | "saving" | "offline" | "conflict";

/** Whether the person's text is saved: always visible, and covers nothing else. */
export function SaveState({ state, waiting = 0, onOpen }: { state: SaveStateName; waiting?: number; onOpen?: (() => void) | undefined }) {
  const { t } = useTranslation("ui");
  const text = t(`save.${state}`, { count: waiting });
  const className = `savestate savestate-${state}`;
  if (state === "conflict" && onOpen) {
    return (
      <button type="button" className={`button button-plain ${className}`} onClick={onOpen} data-testid="save-state" data-state={state}>
        {text}
      </button>
    );
  }
  return (
    <span className={className} role="status" data-testid="save-state" data-state={state}>
      {text}
    </span>
  );
}
