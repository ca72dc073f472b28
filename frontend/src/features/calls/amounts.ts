/** Amounts of money as people type and read them. */

/** How many digits an amount may have before and after its point. */
export interface AmountForm {
  whole: number;
  places: number;
}

/** Whether a text is an amount of this form: digits, and perhaps a point with digits after it. */
export function isAmount(text: string, { whole, places }: AmountForm): boolean {
  const [before = "", after, ...more] = text.split(".");
  const isDigits = (part: string, most: number) => /^\d+$/.test(part) && part.length <= most;
  return more.length === 0 && isDigits(before, whole) && (after === undefined || isDigits(after, places));
}
