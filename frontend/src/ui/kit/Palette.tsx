import { Autocomplete } from "@base-ui/react/autocomplete";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "../keys/chord";
import { KeyCap } from "../keys/KeyCap";
import type { BoundAction } from "../keys/keyboard";
import type { PaletteMatch, PaletteMatches, UseMatches } from "../keys/matches";
import { Modal } from "../Modal";
import "../keys/keys.css";
import styles from "./Palette.module.css";

const NOTHING: PaletteMatches = { rows: [], isPending: false };
const useNothing: UseMatches = () => NOTHING;

type Row = { key: string; command: string; action: BoundAction; match?: never } | { key: string; match: PaletteMatch; action?: never };

export interface PaletteProps {
  actions: readonly BoundAction[];
  /** Where there is nothing to find, the palette has commands alone. */
  useMatches?: UseMatches | undefined;
  onClose: () => void;
}

/** The command palette: runs one of the given actions, found by part of its name, or opens a thing that matches. */
export function Palette({ actions, useMatches = useNothing, onClose }: PaletteProps) {
  const { t } = useTranslation("ui");
  const [typed, setTyped] = useState("");
  const matches = useMatches(typed);
  const commands = useMemo(
    () =>
      actions
        .filter((action) => action.enabled && !action.keyOnly)
        .map((action): Row => ({ key: action.name, action, command: t(action.label, action.values) })),
    [actions, t],
  );
  const rows = useMemo(() => [...commands, ...matches.rows.map((match): Row => ({ key: match.key, match }))], [commands, matches.rows]);
  const run = (row: Row) => {
    onClose();
    if (row.action) row.action.perform();
    else row.match.open();
  };
  const placeholder = t(useMatches === useNothing ? "keys.palettePlaceholder" : "keys.finderPlaceholder");
  return (
    <Modal onClose={onClose} className="keydialog" label={t("keys.palette")} testId="palette">
      <Autocomplete.Root<Row>
        inline
        open
        items={rows}
        value={typed}
        onValueChange={setTyped}
        itemToStringValue={(row) => (row.action ? row.command : row.match.label)}
        filter={isShown}
        autoHighlight="always"
        keepHighlight
        loopFocus={false}
      >
        <Autocomplete.Input
          className={styles.input}
          aria-label={placeholder}
          placeholder={placeholder}
          onKeyDown={(event) => {
            // Escape closes the dialog, which the browser does itself; keys of an input method are its own.
            if (event.key === "Escape" || isComposing(event.nativeEvent)) event.preventBaseUIHandler();
          }}
        />
        <Autocomplete.Empty className={styles.empty}>{t(matches.isPending ? "loading" : "keys.nothing")}</Autocomplete.Empty>
        <Autocomplete.List className={styles.list} aria-label={t("keys.palette")}>
          {(row: Row) => (
            <Autocomplete.Item key={row.key} value={row} className={styles.command} onClick={() => run(row)}>
              {row.action ? <CommandRow row={row} /> : <MatchRow match={row.match} />}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
        {matches.note !== undefined && <p className={styles.note}>{matches.note}</p>}
      </Autocomplete.Root>
    </Modal>
  );
}

function CommandRow({ row }: { row: Extract<Row, { action: BoundAction }> }) {
  const [keys] = row.action.keys;
  return (
    <>
      <span>{row.command}</span>
      {keys !== undefined && <KeyCap keys={keys} />}
    </>
  );
}

function MatchRow({ match }: { match: PaletteMatch }) {
  return (
    <>
      <span className={styles.match}>
        {match.label}
        {match.text !== undefined && (
          <bdi className="dim" lang={match.lang} dir={match.dir}>
            {match.text}
          </bdi>
        )}
      </span>
      <span className="faint">{match.sort}</span>
    </>
  );
}

function isShown(row: Row, typed: string): boolean {
  if (!row.action) return typed.trim() !== "";
  return `${row.command} ${row.action.name}`.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}
