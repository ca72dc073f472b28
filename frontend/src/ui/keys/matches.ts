/** A thing that matches what was typed, found by the application. */
export interface PaletteMatch {
  key: string;
  label: string;
  /** More about it, such as the passage that matches. */
  text?: string;
  lang?: string | undefined;
  dir?: "ltr" | "rtl" | undefined;
  /** What sort of thing it is. */
  sort: string;
  open: () => void;
}

export interface PaletteMatches {
  rows: readonly PaletteMatch[];
  isPending: boolean;
  /** What the answer leaves out. */
  note?: string | undefined;
}

/** Finds what matches typed text; a hook. */
export type UseMatches = (typed: string) => PaletteMatches;
