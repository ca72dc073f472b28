/** After each attempt to send a form with errors, the first of them has the focus. */
import { useEffect, type RefObject } from "react";

/** `attempts` counts them; an error is marked as invalid, or leads to what is. */
export function useFocusOnWrong(form: RefObject<HTMLElement | null>, attempts: number): void {
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>("[aria-invalid='true'], [data-leads-to-error]")?.focus();
  }, [form, attempts]);
}
