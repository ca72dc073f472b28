/** The help sheet (?) and the command palette (Ctrl/⌘ K), both generated from the bound actions. */
import { useId, useMemo, useState, type KeyboardEvent as ReactKeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Modal } from "../Modal";
import type { Action } from "./action";
import { isComposing } from "./chord";
import { KeyCap } from "./KeyCap";
import { keyboard, type BoundAction } from "./keyboard";
import { useActions, useKeyListener } from "./useActions";
import "./keys.css";

interface SheetContext {
  open(sheet: "help" | "palette"): void;
}

export const sheetActions: readonly Action<SheetContext>[] = [
  { name: "keys.help", label: "ui:keys.all", keys: ["?"], foot: true, perform: (c) => c.open("help") },
  { name: "keys.palette", label: "ui:keys.palette", keys: ["Mod+k"], foot: true, keyOnly: true, perform: (c) => c.open("palette") },
];

/** Mount once, around everything: owns the page's key listener. */
export function KeySheets() {
  useKeyListener();
  // What was bound when the sheet opened: the sheet's own layer hides it afterwards.
  const [open, setOpen] = useState<{ sheet: "help" | "palette"; actions: readonly BoundAction[] } | null>(null);
  useActions(sheetActions, { open: (sheet) => setOpen({ sheet, actions: keyboard.snapshot() }) });
  const close = () => setOpen(null);
  if (open === null) return null;
  const Sheet = open.sheet === "help" ? HelpSheet : Palette;
  return <Sheet actions={open.actions} onClose={close} />;
}

function HelpSheet({ actions, onClose }: { actions: readonly BoundAction[]; onClose: () => void }) {
  const { t } = useTranslation("ui");
  const title = useId();
  return (
    <Modal onClose={onClose} className="keydialog" labelledBy={title} testId="help-sheet">
      <header>
        <h2 id={title}>{t("keys.title")}</h2>
        <button type="button" className="button button-plain" onClick={onClose}>
          {t("close")} <KeyCap keys="Escape" />
        </button>
      </header>
      <div className="body">
        <dl className="helplist">
          {actions
            .filter((action) => action.keys.length > 0 && (action.enabled || !action.name.startsWith("go.")))
            .map((action) => (
              <HelpRow key={action.name} action={action} />
            ))}
        </dl>
      </div>
    </Modal>
  );
}

function HelpRow({ action }: { action: BoundAction }) {
  const { t } = useTranslation("ui");
  return (
    <>
      <dt className={action.enabled ? undefined : "off"}>{t(action.label, action.values)}</dt>
      <dd>
        {action.keys.map((keys, i) => (
          <span key={keys}>
            {i > 0 && " / "}
            <KeyCap keys={keys} />
          </span>
        ))}
      </dd>
    </>
  );
}

function Palette({ actions, onClose }: { actions: readonly BoundAction[]; onClose: () => void }) {
  const { t } = useTranslation("ui");
  const list = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = useMemo(() => {
    const wanted = text.trim().toLocaleLowerCase();
    return actions.filter(
      (action) => action.enabled && !action.keyOnly && `${t(action.label, action.values)} ${action.name}`.toLocaleLowerCase().includes(wanted),
    );
  }, [actions, text, t]);
  const chosen = found[Math.min(at, found.length - 1)];
  const run = (action: BoundAction | undefined) => {
    if (!action) return;
    onClose();
    action.perform();
  };
  const onKeyDown = (event: ReactKeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter") run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Modal onClose={onClose} className="keydialog" label={t("keys.palette")} testId="palette">
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={chosen ? `${list}-${chosen.name}` : undefined}
        aria-label={t("keys.palettePlaceholder")}
        placeholder={t("keys.palettePlaceholder")}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 ? (
        <p className="palette-empty">{t("keys.nothing")}</p>
      ) : (
        <ul className="palette-list" id={list} role="listbox" aria-label={t("keys.palette")}>
          {found.map((action) => (
            <li
              key={action.name}
              id={`${list}-${action.name}`}
              role="option"
              aria-selected={action === chosen}
              onClick={() => run(action)}
            >
              <span>{t(action.label, action.values)}</span>
              {action.keys[0] !== undefined && <KeyCap keys={action.keys[0]} />}
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}
