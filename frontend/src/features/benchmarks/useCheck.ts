/** Checks a protocol's text with the server while it is typed; the answer to an older text never replaces a newer one. */
import { useEffect, useState } from "react";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { ProtocolCheck } from "@/api/types";

const PAUSE_MS = 400;

export interface Checked {
  /** The server's answer about `of`; null until the first one. */
  answer: ProtocolCheck | null;
  of: string | null;
  error: ApiError | null;
}

/** A change of `again` repeats the check, for example a new version in force. */
export function useCheck(text: string, benchmark: string | null, again: unknown = null): Checked & { isCurrent: boolean } {
  const [checked, setChecked] = useState<Checked>({ answer: null, of: null, error: null });
  useEffect(() => {
    if (text.trim() === "") return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const body = benchmark === null ? { text } : { text, benchmark };
      call("protocol_check", { body }, { signal: stop.signal })
        .then((answer) => setChecked({ answer, of: text, error: null }))
        .catch((error: unknown) => {
          if (!stop.signal.aborted) setChecked((last) => ({ ...last, error: toApiError(error) }));
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, benchmark, again]);
  return { ...checked, isCurrent: checked.of === text && checked.error === null };
}
