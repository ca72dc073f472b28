/** What is written in a list's form, kept in this tab until it is saved: going back or reloading loses nothing. */
import { useEffect, useState } from "react";
import type { CategoryList } from "@/api/types";
import { filled, type Row } from "./table";

interface ListDraft {
  name: string;
  rows: readonly Row[];
}

interface KeptDraft extends ListDraft {
  change: (values: Partial<ListDraft>) => void;
  /** Whether what is shown was written before the page was opened. */
  isRestored: boolean;
  /** Begins again with the list as it is stored. */
  discard: () => void;
  /** Saved: the next list begins empty. */
  forget: () => void;
}

export function useListDraft(slug: string, base: CategoryList | null): KeptDraft {
  const key = `lantern.list.${slug}.${base === null ? "" : `${base.name}.${String(base.version)}`}`;
  const begun: ListDraft = { name: base?.name ?? "", rows: base?.rows ?? [] };
  const [kept] = useState(() => read(key));
  const [draft, setDraft] = useState(kept ?? begun);
  const [isRestored, setIsRestored] = useState(kept !== null);
  const [isChanged, setIsChanged] = useState(false);
  useEffect(() => {
    if (isChanged) write(key, draft);
  }, [key, draft, isChanged]);
  return {
    ...draft,
    change: (values) => {
      setIsChanged(true);
      setDraft((last) => ({ ...last, ...values }));
    },
    isRestored,
    discard: () => {
      write(key, null);
      setIsChanged(false);
      setIsRestored(false);
      setDraft(begun);
    },
    forget: () => {
      setIsChanged(false);
      write(key, null);
    },
  };
}

function read(key: string): ListDraft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? "null") as ListDraft | null;
    return draft !== null && typeof draft.name === "string" && Array.isArray(draft.rows) ? draft : null;
  } catch {
    return null; // Storage is switched off, or another version wrote it.
  }
}

function write(key: string, draft: ListDraft | null): void {
  try {
    if (draft === null || (draft.name === "" && filled(draft.rows).length === 0)) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is full or switched off: what is written is on the page alone.
  }
}
