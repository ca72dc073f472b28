/** One step of a release's life as a request: the same key over retries, a new one for a new intention. */
import { useState } from "react";
import { newClientKey } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import { STALE } from "./stale";

/** Steps that say nothing but that they are wanted. */
export type MoveId = "release_check" | "release_reopen" | "release_freeze" | "release_write" | "release_publish";

export interface Move {
  go: (onDone?: () => void) => void;
  busy: boolean;
  error: ApiError | null;
  forget: () => void;
}

export function useMove(operation: MoveId, id: number): Move {
  const [key, setKey] = useState(newClientKey);
  const write = useWrite(operation, STALE);
  return {
    go: (onDone) =>
      write.mutate(
        { path: { id }, body: { client_key: key } },
        {
          onSuccess: () => {
            setKey(newClientKey());
            onDone?.();
          },
          onError: (error) => {
            // A lost answer is asked for again under the same key; what was refused is a new wish next time.
            if (!error.isPassing) setKey(newClientKey());
          },
        },
      ),
    busy: write.isPending,
    error: write.error,
    forget: () => write.reset(),
  };
}
