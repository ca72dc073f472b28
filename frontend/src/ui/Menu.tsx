import { useState, type ComponentType, type KeyboardEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedMenuProps } from "./kit/OpenedMenu";
import { toasts } from "./toasts";
import "./ui.css";

/** One choice of a menu: something to do or, with `href`, a file to download. */
export interface MenuEntry {
  key: string | number;
  text: ReactNode;
  onChoose?: () => void;
  href?: string;
  /** Set where the entry is one of several of which one is chosen. */
  checked?: boolean;
  lang?: string;
  testId?: string;
}

export interface MenuProps {
  /** The button's accessible name where its text is not enough. */
  label: string;
  text: ReactNode;
  entries: readonly MenuEntry[];
  /** A line above the entries. */
  heading?: ReactNode;
  /** Called when the menu is opened. */
  onOpen?: () => void;
  /** Aligns the list with the button's right edge. */
  right?: boolean;
  /** A list of sentences: as wide as they need, and they may wrap. */
  wide?: boolean;
  testId?: string;
}

let OpenedMenu: ComponentType<OpenedMenuProps> | null = null;

/** The list's code is fetched when a menu is first pointed at or focused: no page waits for it. */
async function fetchOpenedMenu(): Promise<void> {
  OpenedMenu ??= (await import("./kit/OpenedMenu")).OpenedMenu;
}

/** A button that opens a short list. Arrow keys and letters move in it, Escape closes it and returns the focus. */
export function Menu(props: MenuProps) {
  const { t } = useTranslation("ui");
  const [wasOpened, setWasOpened] = useState(false);
  const fetchAhead = () => void fetchOpenedMenu().catch(() => undefined);
  const open = () => {
    props.onOpen?.();
    fetchOpenedMenu().then(
      () => setWasOpened(true),
      () => toasts.show(t("menuNotFetched")),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    event.stopPropagation();
    open();
  };
  return (
    <div className="menu">
      {wasOpened && OpenedMenu ? (
        <OpenedMenu {...props} className={TRIGGER} face={<Face {...props} />} />
      ) : (
        <button
          type="button"
          className={TRIGGER}
          aria-haspopup="menu"
          aria-expanded={false}
          data-testid={props.testId}
          onPointerEnter={fetchAhead}
          onFocus={fetchAhead}
          onKeyDown={onKeyDown}
          onClick={open}
        >
          <Face {...props} />
        </button>
      )}
    </div>
  );
}

const TRIGGER = "button button-plain button-small";

function Face({ label, text }: Pick<MenuProps, "label" | "text">) {
  return (
    <>
      <span className="visually-hidden">{label} </span>
      {typeof text === "string" ? (
        <span className="menu-text" dir="auto">
          {text}
        </span>
      ) : (
        text
      )}{" "}
      <span aria-hidden="true">▾</span>
    </>
  );
}
