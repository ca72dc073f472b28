/** Checks a protocol's text with the server as it is typed; the answer of an older text never replaces a newer one's. */
import { useEffect, useState } from "react";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { ProtocolCheck } from "@/api/types";

const PAUSE_MS = 400;

export interface Checked {
  /** What the server says of `of`; null until the first answer. */
  answer: ProtocolCheck | null;
  of: string | null;
  error: ApiError | null;
}

/** `again` is any value whose change asks anew, for example the version in force. */
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
