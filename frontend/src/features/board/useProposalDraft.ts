/** A person's proposals while they are written: saved shortly after each change, one save after the other. */
import { useEffect, useState } from "react";
import { call } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import type { CategoryBoard } from "@/api/types";

const PAUSE_MS = 600;

export type ProposedRow = CategoryBoard["draft"]["rows"][number];

interface ProposalDraft {
  rows: readonly ProposedRow[];
  setRows: (rows: readonly ProposedRow[]) => void;
  /** Whether the server has the rows as they are. */
  isSaved: boolean;
  error: ApiError | null;
  /** Takes the server's rows instead, where another window wrote them. */
  reload: () => void;
  /** Saves the rows as they are here over those that another window wrote. */
  overwrite: () => void;
  /** Saves again after an error that passes. */
  retry: () => void;
}

export function useProposalDraft(slug: string, board: CategoryBoard): ProposalDraft {
  const [rows, setRows] = useState<readonly ProposedRow[]>(board.draft.rows);
  const [saved, setSaved] = useState({ rows, revision: board.draft.revision });
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const { mutateAsync } = useWrite("category_board_draft");
  useEffect(() => {
    // What is typed while a save is under way is saved after it, against the revision that it makes.
    if (rows === saved.rows || isSending || error !== null) return;
    const timer = setTimeout(() => {
      setIsSending(true);
      mutateAsync({ path: { b: slug }, body: { revision: saved.revision, rows: [...rows] } })
        .then(
          (answer) => setSaved({ rows, revision: answer.draft.revision }),
          async (thrown: unknown) => {
            const refusal = thrown as ApiError;
            const theirs = refusal.code === "stale_row" ? await draftOf(slug).catch(() => null) : null;
            // The answer to an earlier save of the same rows got lost.
            if (theirs !== null && isSame(theirs.rows, rows)) setSaved({ rows, revision: theirs.revision });
            else setError(refusal);
          },
        )
        .finally(() => setIsSending(false));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [rows, saved, isSending, slug, mutateAsync, error]);
  const catchUp = async (takesRows: boolean) => {
    try {
      const theirs = await draftOf(slug);
      if (takesRows) setRows(theirs.rows);
      // Rows that are not these, also what is typed meanwhile, are saved after this.
      setSaved({ rows: theirs.rows, revision: theirs.revision });
      setError(null);
    } catch (thrown: unknown) {
      setError(thrown as ApiError);
    }
  };
  return {
    rows,
    setRows: (next) => {
      if (error !== null && error.code !== "stale_row") setError(null);
      setRows(next);
    },
    isSaved: rows === saved.rows,
    error,
    reload: () => void catchUp(true),
    overwrite: () => void catchUp(false),
    retry: () => setError(null),
  };
}

/** The draft as the server has it. */
async function draftOf(slug: string): Promise<CategoryBoard["draft"]> {
  return (await call("category_board_show", { path: { b: slug } })).draft;
}

function isSame(one: readonly ProposedRow[], other: readonly ProposedRow[]): boolean {
  return JSON.stringify(one.map(comparable)) === JSON.stringify(other.map(comparable));
}

function comparable({ field, name, vouched }: ProposedRow) {
  return [field, Object.entries(name).sort(), [...vouched].sort()];
}
