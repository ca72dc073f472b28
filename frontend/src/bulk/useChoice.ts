/** Rows of a table chosen by check boxes. */
import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";

export interface Choice {
  /** The chosen rows that the list still shows. */
  ids: readonly number[];
  has: (id: number) => boolean;
  toggle: (id: number) => void;
  /** Chooses all rows that are loaded, or none if all are chosen. */
  toggleAll: () => void;
  isWhole: boolean;
  clear: () => void;
}

export function useChoice(rows: readonly { id: number }[]): Choice {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const ids = rows.map(({ id }) => id).filter((id) => chosen.has(id));
  const isWhole = rows.length > 0 && ids.length === rows.length;
  return {
    ids,
    has: (id) => chosen.has(id),
    toggle: (id) => {
      const next = new Set(chosen);
      if (!next.delete(id)) next.add(id);
      setChosen(next);
    },
    toggleAll: () => setChosen(new Set(isWhole ? [] : rows.map(({ id }) => id))),
    isWhole,
    clear: () => setChosen(new Set()),
  };
}

/** Reads every page again after many rows changed. */
export function useReadAll(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "bulk_show" });
}
