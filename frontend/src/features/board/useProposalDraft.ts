/** A person's proposals while they are written: saved shortly after each change. */
import { useEffect, useState } from "react";
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
}

export function useProposalDraft(slug: string, board: CategoryBoard): ProposalDraft {
  const [rows, setRows] = useState<readonly ProposedRow[]>(board.draft.rows);
  const [revision, setRevision] = useState(board.draft.revision);
  const [savedRows, setSavedRows] = useState<readonly ProposedRow[]>(rows);
  const { mutate, isPending, error, reset } = useWrite("category_board_draft");
  useEffect(() => {
    if (rows === savedRows || isPending || error !== null) return;
    const timer = setTimeout(() => {
      mutate(
        { path: { b: slug }, body: { revision, rows: [...rows] } },
        {
          onSuccess: (answer) => {
            setRevision(answer.draft.revision);
            setSavedRows(rows);
          },
        },
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [rows, savedRows, revision, slug, mutate, isPending, error]);
  return {
    rows,
    setRows: (next) => {
      reset();
      setRows(next);
    },
    isSaved: rows === savedRows,
    error,
    reload: () => {
      reset();
      setRows(board.draft.rows);
      setSavedRows(board.draft.rows);
      setRevision(board.draft.revision);
    },
  };
}
