/** One step of a release's life cycle as a request. */
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";

/** Steps without any input. */
type MoveId = "release_check" | "release_reopen" | "release_freeze" | "release_write" | "release_publish";

export interface Move {
  go: (onDone?: () => void) => void;
  busy: boolean;
  error: ApiError | null;
  reset: () => void;
}

export function useMove(operation: MoveId, id: number): Move {
  const write = useWrite(operation);
  return {
    go: (onDone) =>
      write.mutate(
        { path: { id } },
        { onSuccess: () => onDone?.() },
      ),
    busy: write.isPending,
    error: write.error,
    reset: () => write.reset(),
  };
}
