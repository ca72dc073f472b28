/** An item with expressions about accepted boxes, as the server answers it in the pair track. */
import type { Click, PeerItem } from "@/api/types";
import { keyed, numbers, record, text } from "./content";
import { peerItem } from "./peer";

const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });

export const groundingRules = {
  kind: "grounding",
  content: record({ expressions: keyed({ text: text(), box: numbers(4) }) }),
  ...{ expressions_maximum: 4, minimum_characters: 2, other_script_percent: null },
  human_checks: [],
  review_reasons: [{ code: "several_fit", name: name("More than one object fits") }],
  skip_reasons: [],
} as unknown as PeerItem["rules"];

/** Pandas, so many, in a row; the second one holds a bowl. */
export const boxesOf = (pandas: number) => ({
  boxes: [
    ...Array.from({ length: pandas }, (_, at) => ({ key: `p${at + 1}`, category: "panda", box: [10 + at * 200, 10, 100, 100] })),
    { key: "b", category: "bowl", box: [230, 30, 20, 20] },
  ],
});
export const baseOf = (pandas: number): NonNullable<PeerItem["base"]> => ({ kind: "boxes", content: boxesOf(pandas), text: "", current: true });

const category = { id: 1, slug: "panda", name: name("Panda") } as unknown as PeerItem["image"]["category"];

export const contentOf = (...texts: string[]) => ({
  expressions: texts.map((one, at) => ({ key: `p${at + 1}`, text: one, box: [10 + at * 200, 10, 100, 100] })),
});

export function groundingItem(id: number, changes: Partial<PeerItem> = {}): PeerItem {
  const { image } = peerItem(id);
  return peerItem(id, {
    label: `ref-00000${id}`,
    kind: "grounding",
    track: "pair",
    team: null,
    rules: groundingRules,
    image: { ...image, width: 2000, height: 1000, category },
    content: contentOf("最左边的熊猫", "抱着碗的熊猫"),
    base: baseOf(2),
    may_create: false,
    available_actions: [],
    ...changes,
  });
}

export const click = (position: number, key: string, changes: Partial<Click> = {}): Click => ({
  position,
  key,
  text: `text ${key}`,
  answer: "point",
  x: 60,
  y: 60,
  hit: key,
  correct: true,
  ...changes,
});
