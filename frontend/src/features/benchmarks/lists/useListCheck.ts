/** Checks a list of categories with the server while it is typed. */
import { useEffect, useState } from "react";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { CategoryListCheck } from "@/api/types";

const PAUSE_MS = 400;

interface Checked {
  answer: CategoryListCheck | null;
  of: string | null;
  error: ApiError | null;
}

/**
 * `isCurrent`: the answer is about `text` and not about an older one. `isFaulty`: it has errors. A list whose check is
 * under way may be saved: the server checks it again. Nothing is sent while it is not `enabled`.
 */
export function useListCheck(text: string, { enabled = true }: { enabled?: boolean } = {}): Checked & { isCurrent: boolean; isFaulty: boolean } {
  const [checked, setChecked] = useState<Checked>({ answer: null, of: null, error: null });
  useEffect(() => {
    if (!enabled) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      call("category_list_check", { body: { text, form: "csv" } }, { signal: stop.signal })
        .then((answer) => setChecked({ answer, of: text, error: null }))
        .catch((error: unknown) => {
          if (!stop.signal.aborted) setChecked((last) => ({ ...last, error: toApiError(error) }));
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, enabled]);
  const isCurrent = checked.of === text && checked.error === null;
  return { ...checked, isCurrent, isFaulty: isCurrent && checked.answer?.fault_count !== 0 };
}
