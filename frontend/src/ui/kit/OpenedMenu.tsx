import { Menu } from "@base-ui/react/menu";
import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import type { MenuEntry, MenuProps } from "../Menu";
import styles from "./OpenedMenu.module.css";

export interface OpenedMenuProps extends MenuProps {
  /** What the button looks like, and what it shows. */
  className: string;
  face: ReactNode;
}

/** A menu that is open when it is first drawn; its button closes and opens it again. */
export function OpenedMenu({ label, entries, heading, onOpen, right = false, wide = false, testId, className, face }: OpenedMenuProps) {
  const trigger = useId();
  const menu = useRef<Menu.Root.Actions>(null);
  // An open menu keeps its keys: letters search in it, and Escape closes nothing else.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    event.stopPropagation();
    if (event.key === "Escape") menu.current?.close();
  };
  return (
    <Menu.Root defaultOpen defaultTriggerId={trigger} modal={false} actionsRef={menu} onOpenChange={(isOpen) => isOpen && onOpen?.()}>
      <Menu.Trigger id={trigger} className={className} data-testid={testId}>
        {face}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={styles.positioner} sideOffset={6} align={right ? "end" : "start"}>
          <Menu.Popup className={wide ? `${styles.popup} ${styles.wide}` : styles.popup} aria-label={label} onKeyDown={onKeyDown}>
            {heading !== undefined && <div className={styles.heading}>{heading}</div>}
            <Entries entries={entries} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Entries({ entries }: { entries: readonly MenuEntry[] }) {
  const choices = entries.filter(({ checked }) => checked !== undefined);
  const others = entries.filter(({ checked }) => checked === undefined);
  // The first entry gets the focus however the menu was opened, so that Enter and the arrows work at once.
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus({ preventScroll: true }), []);
  return (
    <div ref={list} role="presentation">
      {choices.length > 0 && (
        <Menu.RadioGroup value={choices.find(({ checked }) => checked)?.key ?? null}>{choices.map(entry)}</Menu.RadioGroup>
      )}
      {others.map(entry)}
    </div>
  );
}

function entry({ key, text, onChoose, href, checked, lang, testId }: MenuEntry) {
  const common = { className: styles.entry, lang, "data-testid": testId, onClick: onChoose, closeOnClick: true };
  if (href !== undefined) {
    return (
      <Menu.LinkItem key={key} {...common} href={href} download={key}>
        {text}
      </Menu.LinkItem>
    );
  }
  if (checked === undefined) {
    return (
      <Menu.Item key={key} {...common}>
        {text}
      </Menu.Item>
    );
  }
  return (
    <Menu.RadioItem key={key} {...common} value={key}>
      {text}
    </Menu.RadioItem>
  );
}
