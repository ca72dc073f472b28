/** The kinds this application can show and write; the server's registry has the same names. */
import { captions } from "./captions/view";
import type { KindView } from "./kind";
import { vqa } from "./vqa/view";

const KINDS: Readonly<Record<string, KindView>> = { captions, vqa };

/** The kind's view, or null for one that this build does not know yet. */
export function kindView(kind: string): KindView | null {
  return KINDS[kind] ?? null;
}

export const KIND_NAMES: readonly string[] = Object.keys(KINDS);
