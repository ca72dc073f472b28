import { Combobox } from "@base-ui/react/combobox";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "../keys/chord";
import "../ui.css";
import listStyles from "./list.module.css";
import styles from "./PickOne.module.css";

export interface Option {
  value: string;
  label: string;
  /** Heading under which the option is listed. */
  group?: string;
  /** More words that find it: names in other languages. */
  also?: string;
}

interface Group {
  name: string;
  items: readonly Option[];
}

/** A list to choose one from by typing part of its name. */
export function PickOne({
  label,
  value,
  options,
  onChange,
  onSearch,
  placeholder,
  hint,
  wrong,
  testId,
}: {
  label: string;
  value: string | null;
  options: readonly Option[];
  onChange: (value: string | null) => void;
  /** Set when the server searches: called with the typed text, and every option is listed. */
  onSearch?: (typed: string) => void;
  placeholder?: string;
  hint?: string;
  wrong?: string | undefined;
  testId?: string;
}) {
  const { t } = useTranslation("ui");
  const id = useId();
  const [chosen, remember] = useChosen(value, options);
  const [isOpen, setIsOpen] = useState(false);
  const popup = useRef<Combobox.Root.Actions>(null);
  const groups = grouped(options);
  const note = wrong ?? hint;

  const onKeyDown = (event: Parameters<NonNullable<Combobox.Input.Props["onKeyDown"]>>[0]) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape") {
      // Escape only closes the list. It never clears the choice, and what surrounds the field does not close with it.
      event.preventBaseUIHandler();
      if (!isOpen) return;
      popup.current?.close();
    } else if (event.key === "Enter" && !isOpen) {
      // Choosing by Enter must not submit the form when Enter is pressed once more.
      setIsOpen(true);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Combobox.Root<Option, false, Option>
      items={groups ?? options}
      value={chosen}
      onValueChange={(option) => {
        remember(option);
        onChange(option?.value ?? null);
      }}
      isItemEqualToValue={(one, other) => one.value === other.value}
      open={isOpen}
      onOpenChange={(next) => {
        setIsOpen(next);
        if (!next) onSearch?.("");
      }}
      onInputValueChange={(typed, { reason }) => {
        if (reason === "input-change") onSearch?.(typed);
      }}
      filter={onSearch ? null : matches}
      autoHighlight
      actionsRef={popup}
    >
      <div className="field">
        <label className="label" htmlFor={id}>
          {label}
        </label>
        <Combobox.InputGroup className={styles.box} data-testid={testId}>
          <Combobox.Input
            id={id}
            className={`input ${styles.input}`}
            placeholder={placeholder}
            aria-invalid={wrong !== undefined || undefined}
            aria-describedby={note === undefined ? undefined : `${id}-note`}
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={onKeyDown}
          />
          <Combobox.Clear className={styles.clear} aria-label={t("pick.clear", { label })}>
            ✕
          </Combobox.Clear>
        </Combobox.InputGroup>
        {note !== undefined && (
          <p className={wrong === undefined ? "hint" : "wrong"} id={`${id}-note`}>
            {note}
          </p>
        )}
      </div>
      <Combobox.Portal>
        <Combobox.Positioner className={listStyles.positioner} sideOffset={4} align="start">
          <Combobox.Popup className={listStyles.popup}>
            <Combobox.Empty className={listStyles.empty}>{t("pick.empty")}</Combobox.Empty>
            <Combobox.List className={listStyles.list}>{groups ? groupEntry : entry}</Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

/** The chosen option, remembered: a search by the server may no longer list it, and its name stays readable. */
function useChosen(value: string | null, options: readonly Option[]): [Option | null, (option: Option | null) => void] {
  const [last, remember] = useState<Option | null>(null);
  const listed = options.find((option) => option.value === value) ?? null;
  if (listed !== null && (last?.value !== listed.value || last.label !== listed.label)) remember(listed);
  if (value === null) return [null, remember];
  return [listed ?? (last?.value === value ? last : { value, label: value }), remember];
}

/** The options under their headings, or null where there is at most one. */
function grouped(options: readonly Option[]): Group[] | null {
  const names = [...new Set(options.map((option) => option.group ?? ""))];
  return names.length > 1 ? names.map((name) => ({ name, items: options.filter((option) => (option.group ?? "") === name) })) : null;
}

function matches(option: Option, typed: string): boolean {
  return `${option.label} ${option.also ?? ""}`.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
}

function groupEntry(group: Group) {
  return (
    <Combobox.Group key={group.name} items={group.items}>
      <Combobox.GroupLabel className={listStyles.heading}>{group.name}</Combobox.GroupLabel>
      <Combobox.Collection>{entry}</Combobox.Collection>
    </Combobox.Group>
  );
}

function entry(option: Option) {
  return (
    <Combobox.Item key={option.value} value={option} className={listStyles.option}>
      {option.label}
    </Combobox.Item>
  );
}
