/** The benchmark's people, found by typing part of a name. */
import { useState } from "react";
import { useList } from "./queries";
import type { Person } from "./types";
import { useDebounced } from "./useDebounced";

interface PeopleSearch {
  people: readonly Person[];
  /** The list is loaded and unfiltered: if it is empty, the benchmark has no one. */
  isWhole: boolean;
  onSearch: (typed: string) => void;
}

export function usePeopleSearch(slug: string, { enabled = true, pageSize }: { enabled?: boolean; pageSize?: number } = {}): PeopleSearch {
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim());
  const list = useList(
    "person_list",
    { path: { b: slug }, query: { search: search === "" ? undefined : search, ...(pageSize === undefined ? {} : { page_size: pageSize }) } },
    { enabled },
  );
  return { people: list.rows, isWhole: list.data !== undefined && search === "", onSearch: setTyped };
}
