import { useTranslation } from "react-i18next";
import { Button } from "../Button";
import { keepFocus } from "./keepFocus";
import { useAllActions } from "./useActions";

interface ActionButtonsProps {
  /** Names of actions, in the order of the buttons; those that the screen has not bound now have no button. */
  names: readonly string[];
  /** Further ones, only on a telephone: elsewhere they are in the bar of keys. */
  touch?: readonly string[];
  /** What the buttons are for. */
  label: string;
  className: string | undefined;
}

/** Buttons for some of a screen's actions: each does what its key does, and is off when that is. */
export function ActionButtons({ names, touch = [], label, className }: ActionButtonsProps) {
  const { t } = useTranslation("ui");
  const bound = useAllActions();
  const actions = [...names, ...touch].flatMap((name) => bound.find((action) => action.name === name) ?? []);
  return (
    <div role="group" aria-label={label} className={className}>
      {actions.map((action) => (
        <Button
          key={action.name}
          small
          className={touch.includes(action.name) ? "touch-only" : undefined}
          keys={action.keys[0]}
          disabled={!action.enabled}
          aria-pressed={action.pressed}
          onMouseDown={keepFocus}
          onClick={() => action.perform()}
          data-testid={`do-${action.name}`}
        >
          {t(action.label, action.values)}
        </Button>
      ))}
    </div>
  );
}
