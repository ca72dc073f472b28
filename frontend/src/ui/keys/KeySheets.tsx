/** The help sheet (?) and the command palette (Ctrl/⌘ K), both generated from the bound actions. */
import { useEffect, useId, useState, type ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { PaletteProps } from "../kit/Palette";
import { Modal } from "../Modal";
import { toasts } from "../toasts";
import type { Action } from "./action";
import { KeyCap } from "./KeyCap";
import { keyboard, type BoundAction } from "./keyboard";
import type { UseMatches } from "./matches";
import { useActions, useKeyListener } from "./useActions";
import "./keys.css";

interface SheetContext {
  open(sheet: "help" | "palette"): void;
}

export const sheetActions: readonly Action<SheetContext>[] = [
  { name: "keys.help", label: "ui:keys.all", keys: ["?"], foot: true, perform: (c) => c.open("help") },
  { name: "keys.palette", label: "ui:keys.palette", keys: ["Mod+k"], foot: true, keyOnly: true, perform: (c) => c.open("palette") },
];

/** Milliseconds after which a page is drawn and the palette may be fetched. */
const DRAWN_MS = 1_500;

let Palette: ComponentType<PaletteProps> | null = null;

/** The palette's code is fetched after the page is drawn, so that no page waits for it and it works without a connection. */
async function fetchPalette(): Promise<void> {
  Palette ??= (await import("../kit/Palette")).Palette;
}

/** Mount once, around everything: owns the page's key listener. `useMatches` finds things for the palette. */
export function KeySheets({ useMatches }: { useMatches?: UseMatches }) {
  const { t } = useTranslation("ui");
  useKeyListener();
  // What was bound when the sheet opened: the sheet's own layer hides it afterwards.
  const [open, setOpen] = useState<{ sheet: "help" | "palette"; actions: readonly BoundAction[] } | null>(null);
  useActions(sheetActions, {
    open: (sheet) => {
      const actions = keyboard.snapshot();
      if (sheet === "help") {
        setOpen({ sheet, actions });
        return;
      }
      fetchPalette().then(
        () => setOpen({ sheet, actions }),
        () => toasts.show(t("menuNotFetched")),
      );
    },
  });
  useEffect(() => {
    const timer = setTimeout(() => void fetchPalette().catch(() => undefined), DRAWN_MS);
    return () => clearTimeout(timer);
  }, []);
  const close = () => setOpen(null);
  if (open === null) return null;
  if (open.sheet === "help") return <HelpSheet actions={open.actions} onClose={close} />;
  return Palette && <Palette actions={open.actions} useMatches={useMatches} onClose={close} />;
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
            .filter((action) => action.keys.length > 0 && (action.enabled || !(action.name.startsWith("go.") || isNameless(action))))
            .map((action) => (
              <HelpRow key={action.name} action={action} />
            ))}
        </dl>
      </div>
    </Modal>
  );
}

/** Whether what the action is about does not exist here: its label would end in nothing. */
function isNameless({ values }: BoundAction): boolean {
  return Object.values(values).includes("");
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
