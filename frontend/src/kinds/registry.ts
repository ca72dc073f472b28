/** The kinds this application can show and write; the server's registry has the same names. */
import type { Action } from "@/ui/keys";
import { boxes } from "./boxes/view";
import { captions } from "./captions/view";
import { dialogue } from "./dialogue/view";
import { grounding } from "./grounding/view";
import type { KindView } from "./kind";
import { multipleChoice } from "./multiple_choice/view";
import { vqa } from "./vqa/view";

const KINDS: Readonly<Record<string, KindView>> = { captions, vqa, multiple_choice: multipleChoice, boxes, grounding, dialogue };

/** The kind's view, or null for one that this build does not know yet. */
export function kindView(kind: string): KindView | null {
  return KINDS[kind] ?? null;
}

/** The keys of the kinds' editors, which are live beside those of the page. */
export const KIND_ACTIONS: readonly (readonly Action<never>[])[] = Object.values(KINDS).map(({ actions }) => actions ?? []);

export const KIND_NAMES: readonly string[] = Object.keys(KINDS);
