/** A text field that grows with its text and can mark stretches of it while it is being typed in. */
import { useLayoutEffect, useRef, type KeyboardEvent } from "react";
import type { TextNode } from "@/api/types";
import { isComposing } from "@/ui/keys";
import { inOneLine, segmentsOf, type Span } from "./spans";
import styles from "./text.module.css";

interface MarkedFieldProps {
  id: string;
  value: string;
  node: TextNode;
  label: string;
  placeholder?: string | undefined;
  describedBy?: string | undefined;
  invalid: boolean;
  marks: readonly Span[];
  focused: boolean;
  onFocus: () => void;
  onChange: (value: string) => void;
}

/**
 * The textarea covers a mirror with the same text: the mirror sets the height and carries the
 * marks, the textarea carries the caret, the selection and the input method's composition.
 */
export function MarkedField(props: MarkedFieldProps) {
  const { id, value, node, label, placeholder, describedBy, invalid, marks, focused, onFocus, onChange } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const mirror = useRef<HTMLDivElement>(null);

  // Before the page is painted: the first letter may come sooner than the first picture of the field.
  useLayoutEffect(() => {
    const element = area.current;
    if (focused && element && document.activeElement !== element) {
      element.focus();
      element.setSelectionRange(element.value.length, element.value.length);
    }
  }, [focused]);

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (isComposing(event.nativeEvent)) return;
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    // Inside a text of several lines the arrows move the caret first; at its edge they continue.
    const caret = event.currentTarget.selectionStart;
    if (mirror.current && !isOnEdgeLine(mirror.current, caret, event.key === "ArrowUp")) event.stopPropagation();
  }

  return (
    <div className={styles.markedField}>
      <div className={styles.markedFieldMirror} ref={mirror} aria-hidden="true" lang={node.lang} dir={node.dir}>
        {segmentsOf(value, marks).map((segment, index) =>
          segment.marked ? <mark key={index}>{segment.text}</mark> : <span key={index}>{segment.text}</span>,
        )}
        {/* A last line that is empty would have no height. */}
        {"\u200b"}
      </div>
      <textarea
        ref={area}
        id={id}
        rows={1}
        lang={node.lang}
        dir={node.dir}
        value={value}
        spellCheck={false}
        autoComplete="off"
        aria-label={label}
        placeholder={placeholder}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        data-testid={id}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          // A field is one line of text; pasted line breaks become spaces.
          onChange(inOneLine(event.target.value));
        }}
      />
    </div>
  );
}

/** Whether the caret is on the first (or last) visual line of the mirrored text. */
function isOnEdgeLine(mirror: HTMLElement, caret: number, first: boolean): boolean {
  const box = mirror.getBoundingClientRect();
  const lineHeight = Number.parseFloat(getComputedStyle(mirror).lineHeight);
  if (!Number.isFinite(lineHeight) || box.height < lineHeight * 2) return true;
  const range = document.createRange();
  let remaining = caret;
  const walker = document.createTreeWalker(mirror, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (remaining <= length) {
      range.setStart(node, remaining);
      range.setEnd(node, remaining);
      break;
    }
    remaining -= length;
  }
  const at = range.getBoundingClientRect();
  if (at.height === 0) return true;
  const padding = Number.parseFloat(getComputedStyle(mirror).paddingTop) || 0;
  return first ? at.top < box.top + padding + lineHeight : at.bottom > box.bottom - padding - lineHeight;
}
