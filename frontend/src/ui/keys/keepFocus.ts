/** Buttons that act like a key: pressing one leaves the focus in the text, so that typing continues. */
import type { MouseEvent } from "react";

let isComposing = false;

/** To be called for every `compositionstart` and `compositionend` of the page. */
export function noteComposition(event: Event): void {
  isComposing = event.type === "compositionstart";
}

/**
 * For a button's `onMouseDown`. While an input method composes, the button takes the focus: that ends the composition,
 * and what was composed is in the text before the button acts.
 */
export function keepFocus(event: MouseEvent): void {
  if (!isComposing) event.preventDefault();
}
