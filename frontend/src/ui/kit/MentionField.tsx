import { Autocomplete } from "@base-ui/react/autocomplete";
import type { KeyboardEvent, RefObject } from "react";
import { isComposing } from "../keys/chord";
import "../ui.css";
import listStyles from "./list.module.css";

interface Name {
  readonly id: number;
  readonly label: string;
}

/** Keys of the open list; every other key belongs to the text. */
const LIST_KEYS: ReadonlySet<string> = new Set(["ArrowDown", "ArrowUp", "Enter"]);

/**
 * A text of several lines that lists names while one is being typed. The caller finds the names that match at the
 * cursor and writes the chosen one into the text; the list is open while there are any.
 */
export function MentionField({
  field,
  id,
  text,
  names,
  placeholder,
  listLabel,
  onText,
  onCursor,
  onFocus,
  onBlur,
  onHighlight,
  onChoose,
  onClose,
  testId,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  id: string;
  text: string;
  names: readonly Name[];
  placeholder: string;
  listLabel: string;
  onText: (text: string, cursor: number) => void;
  onCursor: (cursor: number) => void;
  onFocus: () => void;
  onBlur: () => void;
  /** Called with the name that a key would choose, or null. */
  onHighlight: (id: number | null) => void;
  onChoose: (id: number) => void;
  /** Escape: the list closes, the text stays. */
  onClose: () => void;
  testId: string;
}) {
  const isOpen = names.length > 0;
  const onKeyDown = (event: KeyboardEvent & { preventBaseUIHandler: () => void }) => {
    if (isOpen && LIST_KEYS.has(event.key) && !isComposing(event.nativeEvent)) return;
    event.preventBaseUIHandler();
    if (!isOpen || event.key !== "Escape" || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <Autocomplete.Root<Name>
      mode="none"
      items={names}
      itemToStringValue={({ label }) => label}
      value={text}
      onValueChange={(next, { reason }) => {
        // A chosen name does not replace the text: it is written at the cursor by the caller.
        if (reason === "input-change") onText(next, field.current?.selectionStart ?? next.length);
      }}
      open={isOpen}
      autoHighlight="always"
      onItemHighlighted={(name) => onHighlight(name?.id ?? null)}
    >
      <Autocomplete.Input
        id={id}
        className="input"
        placeholder={placeholder}
        maxLength={2000}
        render={<textarea ref={field} rows={2} />}
        onFocus={onFocus}
        onBlur={onBlur}
        onSelect={() => onCursor(field.current?.selectionStart ?? 0)}
        onKeyDown={onKeyDown}
        data-testid={`${testId}-text`}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner className={listStyles.positioner} sideOffset={4} align="start">
          <Autocomplete.Popup className={listStyles.popup}>
            <Autocomplete.List className={listStyles.list} aria-label={listLabel} data-testid={`${testId}-names`}>
              {(name: Name) => (
                <Autocomplete.Item key={name.id} value={name} className={listStyles.option} onClick={() => onChoose(name.id)}>
                  {name.label}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
