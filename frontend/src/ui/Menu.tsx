import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import "./ui.css";

/** A button that opens a menu. Arrow keys move in it, Escape closes it and returns the focus. */
export function Menu({
  label,
  text,
  right = false,
  children,
  testId,
}: {
  /** The button's accessible name where its text is not enough. */
  label: string;
  text: ReactNode;
  right?: boolean;
  children: (close: () => void) => ReactNode;
  testId?: string;
}) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    root.current?.querySelector<HTMLElement>(".menu-list .menu-item")?.focus();
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    const items = [...(root.current?.querySelectorAll<HTMLElement>(".menu-list .menu-item") ?? [])];
    const at = items.findIndex((item) => item === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) items[(at + step + items.length) % items.length]?.focus();
    else if (event.key === "Home") items[0]?.focus();
    else if (event.key === "End") items.at(-1)?.focus();
    else if (event.key === "Escape") {
      setOpen(false);
      button.current?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={right ? "menu menu-right" : "menu"} ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className="button button-plain button-small"
        aria-haspopup="menu"
        aria-expanded={open}
        data-testid={testId}
        onClick={() => setOpen(!open)}
      >
        <span className="visually-hidden">{label} </span>
        {text} <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <div className="menu-list" role="menu" aria-label={label}>
          {children(() => setOpen(false))}
        </div>
      )}
    </div>
  );
}

/** One choice of a menu; `checked` for one of several. */
export function MenuItem({ onChoose, checked, children, lang, testId }: { onChoose: () => void; checked?: boolean; children: ReactNode; lang?: string; testId?: string }) {
  return (
    <button
      type="button"
      className="menu-item"
      role={checked === undefined ? "menuitem" : "menuitemradio"}
      aria-checked={checked}
      tabIndex={-1}
      lang={lang}
      data-testid={testId}
      onClick={onChoose}
    >
      {children}
    </button>
  );
}
