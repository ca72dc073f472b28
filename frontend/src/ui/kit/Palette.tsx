import { Autocomplete } from "@base-ui/react/autocomplete";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "../keys/chord";
import { KeyCap } from "../keys/KeyCap";
import type { BoundAction } from "../keys/keyboard";
import { Modal } from "../Modal";
import "../keys/keys.css";
import styles from "./Palette.module.css";

interface Command {
  action: BoundAction;
  label: string;
}

export interface PaletteProps {
  actions: readonly BoundAction[];
  onClose: () => void;
}

/** The command palette: runs one of the given actions, found by part of its name. */
export function Palette({ actions, onClose }: PaletteProps) {
  const { t } = useTranslation("ui");
  const commands = useMemo(
    () =>
      actions
        .filter((action) => action.enabled && !action.keyOnly)
        .map((action): Command => ({ action, label: t(action.label, action.values) })),
    [actions, t],
  );
  const run = ({ action }: Command) => {
    onClose();
    action.perform();
  };
  return (
    <Modal onClose={onClose} className="keydialog" label={t("keys.palette")} testId="palette">
      <Autocomplete.Root<Command>
        inline
        open
        items={commands}
        itemToStringValue={({ label }) => label}
        filter={matches}
        autoHighlight="always"
        keepHighlight
        loopFocus={false}
      >
        <Autocomplete.Input
          className={styles.input}
          aria-label={t("keys.palettePlaceholder")}
          placeholder={t("keys.palettePlaceholder")}
          onKeyDown={(event) => {
            // Escape closes the dialog, which the browser does itself; keys of an input method are its own.
            if (event.key === "Escape" || isComposing(event.nativeEvent)) event.preventBaseUIHandler();
          }}
        />
        <Autocomplete.Empty className={styles.empty}>{t("keys.nothing")}</Autocomplete.Empty>
        <Autocomplete.List className={styles.list} aria-label={t("keys.palette")}>
          {(command: Command) => (
            <Autocomplete.Item key={command.action.name} value={command} className={styles.command} onClick={() => run(command)}>
              <span>{command.label}</span>
              {command.action.keys[0] !== undefined && <KeyCap keys={command.action.keys[0]} />}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Modal>
  );
}

function matches({ action, label }: Command, typed: string): boolean {
  return `${label} ${action.name}`.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}
