import { describe, expect, test } from "vitest";
import type { ContentNode, Finding, RecordNode } from "@/api/types";
import { captionsTree, choice, keyed, numbers, record, text, vqaTree } from "@/testing/content";
import type { Content } from "./kind";
import { carry, combine, empty, firstEmpty, get, languageOf, leafAt, leaves, merge, neighbour, set, entryCount, textAt } from "./tree";
import type { Part } from "./tree";

const flag: ContentNode = { type: "flag", answer: false };
const code = choice();

const captions = captionsTree(3);
const vqa = vqaTree(2);
const boxes = record({ boxes: keyed({ category: code, box: numbers(4) }) });
const exam = record({
  type: code,
  stem: text({ latex: true, lines: 4 }),
  options: keyed({ text: text(), right: flag }),
  blanks: keyed({ question: text(), accepted: keyed({ text: text() }) }),
  explanation: text({ language: "translation", lang: "ar", dir: "rtl", optional: true }),
  fixed_order: flag,
});

const drawn = {
  boxes: [
    { key: "k1", category: "dog", box: [0, 0, 4, 3] },
    { key: "k2", category: "", box: [1, 2, 3, 4] },
  ],
};

const pathsOf = (tree: RecordNode, content: unknown) => leaves(tree, content).map(({ path }) => path);
const changes = (parts: readonly Part[]) => parts.filter(({ verdict }) => verdict !== "same").map(({ path, verdict }) => [path, verdict]);
/** What each side changed alone, and of a conflict one side. */
const taking = (side: "mine" | "theirs") => (part: Part) => (part.verdict === "both" ? part[side] : part.verdict === "theirs" ? part.theirs : part.mine);

describe("content in the form of its tree", () => {
  test("begins empty", () => {
    expect(empty(captions)).toEqual({ captions: ["", "", ""] });
    expect(empty(vqa)).toEqual({ pairs: [{ question: "", answer: "" }, { question: "", answer: "" }] });
    expect(empty(exam)).toEqual({ type: "", stem: "", options: [], blanks: [], explanation: "", fixed_order: false });
  });

  test("has leaves in the order of the tree, named by position in lists and by key in keyed lists", () => {
    expect(pathsOf(captions, empty(captions))).toEqual(["captions.0", "captions.1", "captions.2"]);
    expect(pathsOf(vqa, empty(vqa))).toEqual(["pairs.0.question", "pairs.0.answer", "pairs.1.question", "pairs.1.answer"]);
    expect(pathsOf(boxes, drawn)).toEqual(["boxes.k1.category", "boxes.k1.box", "boxes.k2.category", "boxes.k2.box"]);
    expect(leaves(boxes, drawn)[1]).toMatchObject({ node: { type: "numbers" }, value: [0, 0, 4, 3] });
  });

  test.each([[null], [3], ["captions"], [[]], [{ captions: "一" }], [{ captions: [null, { a: 1 }] }]])("reads %j without an error", (content) => {
    expect(leaves(captions, content).map(({ value }) => value)).toEqual(["", "", ""]);
    expect(merge(captions, content, content, { captions: ["一"] }).map(({ verdict }) => verdict)).toEqual(["theirs", "same", "same"]);
  });

  test("counts an entry once and drops one without a key", () => {
    const content = { boxes: [{ category: "cat" }, { key: "k1", category: "a" }, { key: "k1", category: "b" }, null] };
    expect(leaves(boxes, content).map(({ path, value }) => [path, value])).toEqual([
      ["boxes.k1.category", "b"],
      ["boxes.k1.box", []],
    ]);
  });

  test("is read and replaced by path", () => {
    expect(get(boxes, drawn, "boxes.k2.box")).toEqual([1, 2, 3, 4]);
    expect(get(boxes, drawn, "boxes.k1")).toEqual({ category: "dog", box: [0, 0, 4, 3] });
    expect(["boxes.k9.box", "boxes.0", "boxes.k1.box.0", "captions", "constructor"].map((path) => get(boxes, drawn, path))).toEqual(
      Array(5).fill(undefined),
    );
    expect(get(boxes, set(boxes, drawn, "boxes.k2.category", "cat"), "boxes.k2.category")).toBe("cat");
    expect(drawn.boxes[1]?.category).toBe("");
    expect(set(boxes, drawn, "boxes", [])).toEqual({ boxes: [] });
    expect(set(boxes, drawn, "boxes.k9.category", "cat")).toBe(drawn);
    expect(set(captions, {}, "captions.1", "二")).toEqual({ captions: ["", "二", ""] });
    expect(set(captions, {}, "captions.3", "四")).toEqual({});
  });

  test("tells leaves from groups", () => {
    expect(leafAt(vqa, empty(vqa), "pairs.1.answer")?.node).toMatchObject({ answer: true });
    expect(leafAt(vqa, empty(vqa), "pairs.1")).toBeNull();
    expect([textAt(captions, { captions: ["一"] }, "captions.0")?.value, textAt(captions, {}, "captions"), textAt(boxes, drawn, "boxes.k1.category")]).toEqual(
      ["一", null, null],
    );
  });

  test("names the first text that is empty, and walks around all leaves", () => {
    expect(firstEmpty(captions, { captions: ["一", "  ", ""] })).toBe("captions.1");
    expect(firstEmpty(captions, { captions: ["一", "二", "三"] })).toBeNull();
    expect(firstEmpty(boxes, drawn)).toBe("boxes.k2.category");
    expect(firstEmpty(boxes, { boxes: [{ key: "k1", category: "dog", box: [] }] })).toBe("boxes.k1.box");
    expect(firstEmpty(exam, { type: "choice", stem: "1 + 1" })).toBeNull(); // the explanation may be left out
    expect(neighbour(vqa, {}, "pairs.0.question", 1)).toBe("pairs.0.answer");
    expect(neighbour(vqa, {}, "pairs.0.question", -1)).toBe("pairs.1.answer");
    expect(neighbour(boxes, drawn, "boxes.gone.box", 1)).toBe("boxes.k1.category");
    // The place of a box is changed on the picture: the keys go on from it, and not to it.
    expect(neighbour(boxes, drawn, "boxes.k1.category", 1)).toBe("boxes.k2.category");
    expect(neighbour(boxes, drawn, "boxes.k1.box", 1)).toBe("boxes.k2.category");
    expect(neighbour(boxes, drawn, "boxes.k1.box", -1)).toBe("boxes.k1.category");
    expect(neighbour(record({ spot: numbers(2) }), {}, "", 1)).toBe("spot");
    expect(neighbour(boxes, {}, "", 1)).toBe("");
  });

  test("knows how many entries its first list of a fixed length has", () => {
    expect([captions, vqa, boxes, exam].map(entryCount)).toEqual([3, 2, null, null]);
  });

  test("knows the language it is written in", () => {
    expect(languageOf(exam)).toBe("zh-Hans");
    expect(languageOf(boxes)).toBe("");
  });
});

describe("findings while the content is edited", () => {
  const finding = (field: string, spans: Finding["spans"] = []): Finding => ({
    code: "any",
    field,
    severity: "error",
    overridable: false,
    params: {},
    spans,
  });
  const fields = (findings: readonly Finding[]) => findings.map(({ field }) => field);

  test("stay where the value is unchanged and go with a value or an entry", () => {
    const found = ["boxes", "boxes.k1", "boxes.k1.category", "boxes.k1.box", "boxes.k2.box"].map((field) => finding(field));
    const cat = set(boxes, drawn, "boxes.k1.category", "cat");
    expect(fields(carry(boxes, found, drawn, cat))).toEqual(["boxes", "boxes.k1", "boxes.k1.box", "boxes.k2.box"]);
    const second = { boxes: drawn.boxes.slice(1) };
    expect(fields(carry(boxes, found, drawn, second))).toEqual(["boxes", "boxes.k2.box"]);
  });

  test("stay in an edited text, with marks on the same characters", () => {
    const before = { pairs: [{ question: "谁？", answer: "坐着" }] };
    const found = [finding("pairs.0.answer", [{ field: "pairs.0.answer", start: 1, end: 2 }])];
    expect(carry(vqa, found, before, set(vqa, before, "pairs.0.answer", "安坐着"))[0]?.spans).toEqual([
      { field: "pairs.0.answer", start: 2, end: 3 },
    ]);
  });
});

describe("two versions of a content", () => {
  test("say for each part which side changed it", () => {
    const parts = merge(captions, { captions: ["一", "二", "三"] }, { captions: ["一", "二甲", "三甲"] }, { captions: ["一", "二", "三乙"] });
    expect(parts.map(({ verdict }) => verdict)).toEqual(["same", "mine", "both"]);
    expect(parts[2]).toMatchObject({ path: "captions.2", base: "三", mine: "三甲", theirs: "三乙" });
  });

  test("that changed a field alike have no conflict", () => {
    expect(changes(merge(captions, { captions: ["一"] }, { captions: ["二"] }, { captions: ["二"] }))).toEqual([]);
  });

  test("without a base leave each difference between two texts to the person", () => {
    expect(changes(merge(captions, null, { captions: ["一", "二"] }, { captions: ["一", "三", "四"] }))).toEqual([
      ["captions.1", "both"],
      ["captions.2", "theirs"],
    ]);
  });

  test("match entries by key: another's deletion moves nothing", () => {
    const mine = set(boxes, drawn, "boxes.k2.category", "cat");
    const theirs = { boxes: drawn.boxes.slice(1) };
    const parts = merge(boxes, drawn, mine, theirs);
    expect(changes(parts)).toEqual([
      ["boxes.k1", "theirs"],
      ["boxes.k2.category", "mine"],
    ]);
    expect(combine(boxes, drawn, mine, theirs, taking("mine"))).toEqual({ boxes: [{ key: "k2", category: "cat", box: [1, 2, 3, 4] }] });
  });

  test("of which one deleted an entry that the other changed are a conflict", () => {
    const mine = { boxes: drawn.boxes.slice(1) };
    const theirs = set(boxes, drawn, "boxes.k1.box", [9, 9, 9, 9]);
    expect(changes(merge(boxes, drawn, mine, theirs))).toEqual([["boxes.k1", "both"]]);
    expect(get(boxes, combine(boxes, drawn, mine, theirs, taking("theirs")), "boxes.k1.box")).toEqual([9, 9, 9, 9]);
    expect(combine(boxes, drawn, mine, theirs, taking("mine"))).toEqual(mine);
  });

  test("keep the order of the side that moved entries, with new ones after those they followed", () => {
    const [one, two] = drawn.boxes;
    const added = { key: "k3", category: "tree", box: [0, 0, 1, 1] };
    const keys = (mine: Content, theirs: Content) =>
      (get(boxes, combine(boxes, drawn, mine, theirs, taking("mine")), "boxes") as { key: string }[]).map(({ key }) => key);
    expect(keys({ boxes: [one, added, two] }, { boxes: [two, one] })).toEqual(["k2", "k1", "k3"]);
    expect(keys({ boxes: [two, one] }, { boxes: [added, one, two] })).toEqual(["k3", "k2", "k1"]);
  });
});

/** A generator of numbers from 0 to 1 with a seed, so that a failure can be repeated. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Any value of a node out of few, so that two versions often agree. */
function anyOf(node: ContentNode, random: () => number): unknown {
  const few = Math.floor(random() * 3);
  switch (node.type) {
    case "text":
    case "code":
      return ["", "甲", "乙"][few];
    case "flag":
      return few === 0;
    case "numbers":
      return few === 0 ? [] : Array.from({ length: node.count }, () => few);
    case "record":
      return Object.fromEntries(Object.entries(node.fields).map(([name, field]) => [name, anyOf(field, random)]));
    case "list":
      return Array.from({ length: node.count }, () => anyOf(node.of, random));
    case "keyed":
      return ["a", "b", "c", "d"]
        .filter(() => random() < 0.6)
        .sort(() => random() - 0.8)
        .map((key) => ({ key, ...(anyOf(node.of, random) as object) }));
  }
}

/** The value with few parts changed, entries deleted and added. */
function edited(node: ContentNode, value: unknown, random: () => number): unknown {
  switch (node.type) {
    case "record":
      return {
        ...(value as object),
        ...Object.fromEntries(
          Object.entries(node.fields).map(([name, field]) => [name, edited(field, (value as Content)[name], random)]),
        ),
      };
    case "list":
      return (value as unknown[]).map((one) => edited(node.of, one, random));
    case "keyed": {
      const kept = (value as Content[]).filter(() => random() < 0.8).map((entry) => edited(node.of, entry, random));
      if (random() < 0.3) kept.splice(Math.floor(random() * (kept.length + 1)), 0, { key: `n${random()}`, ...(anyOf(node.of, random) as object) });
      return kept;
    }
    default:
      return random() < 0.25 ? anyOf(node, random) : value;
  }
}

/** Each leaf by path as JSON, for comparison. */
const flat = (tree: RecordNode, content: unknown) => new Map(leaves(tree, content).map(({ path, value }) => [path, JSON.stringify(value)]));
const conflictsOf = (parts: readonly Part[]) => parts.filter(({ verdict }) => verdict === "both").map(({ path }) => path);
const isBelow = (path: string, groups: readonly string[]) => groups.some((group) => path === group || path.startsWith(`${group}.`));

/** The leaves that are not what three versions make them: of a conflict the chosen side, elsewhere what only one side changed. */
function wrong(tree: RecordNode, base: unknown, mine: unknown, theirs: unknown, side: "mine" | "theirs"): unknown[] {
  const conflicts = conflictsOf(merge(tree, base, mine, theirs));
  const result = combine(tree, base, mine, theirs, taking(side));
  const [was, my, their, now] = [flat(tree, base), flat(tree, mine), flat(tree, theirs), flat(tree, result)];
  return [...new Set([was, my, their, now].flatMap((one) => [...one.keys()]))].filter((path) => {
    const [b, m, t] = [was.get(path), my.get(path), their.get(path)];
    if (isBelow(path, conflicts)) return now.get(path) !== (side === "mine" ? m : t);
    return (b !== m && b !== t && m !== t) || now.get(path) !== (b === m ? t : m);
  });
}

describe.each(Object.entries({ captions, vqa, boxes, exam }))("any two versions of %s", (_, tree) => {
  test.each([1, 2, 3, 4])("merge without losing a change, with the same conflicts from either side (seed %i)", (seed) => {
    const random = numbersFrom(seed);
    for (let time = 0; time < 300; time += 1) {
      const base = anyOf(tree, random);
      // Now and then versions that grew apart altogether: the same keys were made on both sides.
      const version = random() < 0.2 ? () => anyOf(tree, random) : () => edited(tree, base, random);
      const [mine, theirs] = [version(), version()];
      const parts = merge(tree, base, mine, theirs);
      const swapped = merge(tree, base, theirs, mine);
      const found = {
        asymmetric: conflictsOf(parts).sort().join() !== conflictsOf(swapped).sort().join(),
        twice: new Set(parts.map(({ path }) => path)).size < parts.length,
        wrong: [wrong(tree, base, mine, theirs, "mine"), wrong(tree, base, mine, theirs, "theirs")],
      };
      expect(found, JSON.stringify({ base, mine, theirs })).toEqual({ asymmetric: false, twice: false, wrong: [[], []] });
    }
  });

  test("of which one is the base merge into the other", () => {
    const random = numbersFrom(5);
    for (let time = 0; time < 200; time += 1) {
      const [base, changed] = [anyOf(tree, random), anyOf(tree, random)];
      const one = (part: Part) => (part.verdict === "theirs" ? part.theirs : part.mine);
      expect([combine(tree, base, changed, base, one), combine(tree, base, base, changed, one)]).toEqual([changed, changed]);
      expect(changes(merge(tree, base, changed, changed))).toEqual([]);
    }
  });
});
