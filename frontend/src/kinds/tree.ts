/**
 * Content as the server describes it: a tree of typed nodes in `rules.content`. What is the same for every kind is
 * derived from it: empty content, its leaves, findings while someone types, and merging.
 *
 * A path names a node of the content: "captions.2", "pairs.0.question", "boxes.k7f3.category". Entries of a list go by
 * position from 0, those of a keyed list by their key, because a position would name another entry after a deletion.
 */
import type { ContentNode, Finding, RecordNode, TextNode } from "@/api/types";
import type { Content } from "./kind";
import { carryFindings, showsNothing } from "./text/fields";

type GroupNode = Extract<ContentNode, { type: "record" | "list" | "keyed" }>;
type LeafNode = Exclude<ContentNode, GroupNode>;

export interface Leaf {
  readonly path: string;
  readonly node: LeafNode;
  readonly value: unknown;
}

interface TextLeaf {
  readonly path: string;
  readonly node: TextNode;
  readonly value: string;
}

/** An entry of a keyed list. */
type Entry = Readonly<Record<string, unknown>> & { readonly key: string };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldIn(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function entryAt(value: unknown, index: number): unknown {
  return Array.isArray(value) ? value[index] : undefined;
}

/** The entries of a keyed list, each key once; what has no key is left out. */
function entriesIn(value: unknown): Entry[] {
  if (!Array.isArray(value)) return [];
  const entries = value.filter((entry): entry is Entry => typeof fieldIn(entry, "key") === "string");
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}

function entryIn(value: unknown, key: string): Entry | undefined {
  return entriesIn(value).find((entry) => entry.key === key);
}

function join(path: string, name: string | number): string {
  return path === "" ? `${name}` : `${path}.${name}`;
}

function isLeaf(node: ContentNode): node is LeafNode {
  return node.type !== "record" && node.type !== "list" && node.type !== "keyed";
}

/** A value in the form of its node, with empty values where something is missing: contents arrive as the server's JSON. */
function fitted(node: ContentNode, value: unknown): unknown {
  switch (node.type) {
    case "text":
    case "code":
      return typeof value === "string" ? value : "";
    case "flag":
      return value === true;
    case "numbers":
      return Array.isArray(value) && value.length === node.count ? value.map(Number) : [];
    case "record":
      return Object.fromEntries(Object.entries(node.fields).map(([name, field]) => [name, fitted(field, fieldIn(value, name))]));
    case "list":
      return Array.from({ length: node.count }, (_, at) => fitted(node.of, entryAt(value, at)));
    case "keyed":
      return entriesIn(value).map((entry) => ({ key: entry.key, ...(fitted(node.of, entry) as object) }));
  }
}

/** Content with nothing in it yet. */
export function empty(tree: RecordNode): Content {
  return fitted(tree, undefined) as Content;
}

/** The leaves of a content in the order of the tree: what is written, and what the keys walk through. */
export function leaves(node: ContentNode, content: unknown, path = ""): Leaf[] {
  switch (node.type) {
    case "record":
      return Object.entries(node.fields).flatMap(([name, field]) => leaves(field, fieldIn(content, name), join(path, name)));
    case "list":
      return Array.from({ length: node.count }, (_, at) => leaves(node.of, entryAt(content, at), join(path, at))).flat();
    case "keyed":
      return entriesIn(content).flatMap((entry) => leaves(node.of, entry, join(path, entry.key)));
    default:
      return [{ path, node, value: fitted(node, content) }];
  }
}

interface Place {
  readonly node: ContentNode;
  readonly value: unknown;
}

function childOf({ node, value }: Place, name: string): Place | null {
  switch (node.type) {
    case "record": {
      const field = Object.hasOwn(node.fields, name) ? node.fields[name] : undefined;
      return field === undefined ? null : { node: field, value: fieldIn(value, name) };
    }
    case "list": {
      const at = /^\d+$/.test(name) ? Number(name) : node.count;
      return at < node.count ? { node: node.of, value: entryAt(value, at) } : null;
    }
    case "keyed": {
      const entry = entryIn(value, name);
      return entry === undefined ? null : { node: node.of, value: entry };
    }
    default:
      return null;
  }
}

function placeAt(tree: RecordNode, content: unknown, path: string): Place | null {
  let place: Place | null = { node: tree, value: content };
  for (const name of path.split(".")) place = place && childOf(place, name);
  return place;
}

/** The leaf at a path, or null where the content has none there: in a group's path, or after its entry was deleted. */
export function leafAt(tree: RecordNode, content: unknown, path: string): Leaf | null {
  const place = placeAt(tree, content, path);
  return place !== null && isLeaf(place.node) ? { path, node: place.node, value: fitted(place.node, place.value) } : null;
}

/** The value at a path, of a leaf or of a whole group; undefined where the content has nothing there. */
export function get(tree: RecordNode, content: unknown, path: string): unknown {
  const place = placeAt(tree, content, path);
  return place === null ? undefined : fitted(place.node, place.value);
}

/** The text field at a path, or null where there is none. */
export function textAt(tree: RecordNode, content: unknown, path: string): TextLeaf | null {
  const leaf = leafAt(tree, content, path);
  return leaf?.node.type === "text" ? { path, node: leaf.node, value: leaf.value as string } : null;
}

/** The content with another value at a path; unchanged where the path names nothing. */
export function set(tree: RecordNode, content: Content, path: string, value: unknown): Content {
  return placeAt(tree, content, path) === null ? content : (replaced(tree, content, path.split("."), value) as Content);
}

function replaced(node: ContentNode, content: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  switch (node.type) {
    case "record": {
      const field = node.fields[name];
      return field === undefined ? content : { ...(isObject(content) ? content : {}), [name]: replaced(field, fieldIn(content, name), rest, value) };
    }
    case "list":
      return Array.from({ length: node.count }, (_, at) =>
        at === Number(name) ? replaced(node.of, entryAt(content, at), rest, value) : fitted(node.of, entryAt(content, at)),
      );
    case "keyed":
      return entriesIn(content).map((entry) => (entry.key === name ? replaced(node.of, entry, rest, value) : entry));
    default:
      return content;
  }
}

/** The path of the first text, code or numbers that must be there and are not, or null. Completeness, not a rule about text. */
export function firstEmpty(tree: RecordNode, content: unknown): string | null {
  return leaves(tree, content).find(isMissing)?.path ?? null;
}

/** Whether the content has a list of its own length, such as that of boxes, with nothing in it. */
export function hasEmptyList(node: ContentNode, content: unknown): boolean {
  if (node.type === "keyed") return entriesIn(content).length === 0;
  return node.type === "record" && Object.entries(node.fields).some(([name, field]) => hasEmptyList(field, fieldIn(content, name)));
}

function isMissing({ node, value }: Leaf): boolean {
  if (node.type === "numbers") return (value as readonly number[]).length === 0;
  return (node.type === "text" || node.type === "code") && !node.optional && showsNothing(String(value));
}

/**
 * The path so many leaves further on, around the end; the first where the path names no leaf. Numbers are passed over where
 * there is anything else: they are changed on the picture.
 */
export function neighbour(tree: RecordNode, content: unknown, path: string, step: number): string {
  const all = leaves(tree, content);
  const isStop = all.some(({ node }) => node.type !== "numbers") ? ({ node }: Leaf) => node.type !== "numbers" : () => true;
  const paths = all.filter((leaf) => leaf.path === path || isStop(leaf)).map((leaf) => leaf.path);
  const at = paths.indexOf(path);
  return paths[at === -1 ? 0 : (at + step + paths.length) % paths.length] ?? path;
}

/** The language that people write the content in: that of its first text in the benchmark's language. */
export function languageOf(node: ContentNode): string {
  switch (node.type) {
    case "text":
      return node.language === "content" ? node.lang : "";
    case "record":
      return Object.values(node.fields).map(languageOf).find(Boolean) ?? "";
    case "list":
    case "keyed":
      return languageOf(node.of);
    default:
      return "";
  }
}

/** How many entries the first list of a fixed length has, or null where there is none. */
export function entryCount(node: ContentNode): number | null {
  if (node.type === "list") return node.count;
  if (node.type !== "record") return null;
  return Object.values(node.fields).map(entryCount).find((count) => count !== null) ?? null;
}

/**
 * Findings of an earlier content, as far as they fit the present one while the server has not checked it yet. Those about an
 * unchanged value stay; in a text that was edited, marks stay on their characters; those about another value that
 * was changed, or about an entry that is gone, are dropped.
 */
export function carry(tree: RecordNode, findings: readonly Finding[], before: Content, after: Content): Finding[] {
  const fitting = findings.filter(({ field }) => {
    const old = placeAt(tree, before, field);
    if (old === null) return true; // about the content as a whole
    const now = placeAt(tree, after, field);
    return now !== null && (now.node.type === "text" || !isLeaf(now.node) || isEqual(old.value, now.value));
  });
  return carryFindings(fitting, before, after, (content, path) => textAt(tree, content, path)?.value ?? null);
}

/** Whether two contents have the same values. */
export function isSame(tree: RecordNode, one: unknown, other: unknown): boolean {
  return isEqual(fitted(tree, one), fitted(tree, other));
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/**
 * - `same`: both versions have the same value.
 * - `mine`, `theirs`: only this version changed it.
 * - `both`: both changed it, differently; a person decides.
 */
export type Verdict = "same" | "mine" | "theirs" | "both";

/** A part of two versions that is compared as a whole: a leaf, or an entry of a keyed list that not every version has. */
export interface Part {
  readonly path: string;
  readonly node: ContentNode;
  /** The values; undefined where a version has no such entry. */
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  readonly verdict: Verdict;
}

/** Two versions of a content that grew from one base, part by part, in the order of the tree. */
export function merge(tree: RecordNode, base: unknown, mine: unknown, theirs: unknown): Part[] {
  const parts: Part[] = [];
  combine(tree, base, mine, theirs, (part) => {
    parts.push(part);
    return part.mine;
  });
  return parts;
}

/**
 * The content that two versions make together. `choose` gives the value of each part: the text of a person's own, or one of
 * the two. The order of entries is mine unless only the other version moved them.
 */
export function combine(tree: RecordNode, base: unknown, mine: unknown, theirs: unknown, choose: (part: Part) => unknown): Content {
  const versions: Versions = { base: fitted(tree, base), mine: fitted(tree, mine), theirs: fitted(tree, theirs) };
  return combined(tree, versions, "", choose) as Content;
}

interface Versions<Value = unknown> {
  readonly base: Value;
  readonly mine: Value;
  readonly theirs: Value;
}

function each<From, To>(versions: Versions<From>, value: (of: From) => To): Versions<To> {
  return { base: value(versions.base), mine: value(versions.mine), theirs: value(versions.theirs) };
}

function combined(node: ContentNode, versions: Versions, path: string, choose: (part: Part) => unknown): unknown {
  switch (node.type) {
    case "record":
      return Object.fromEntries(
        Object.entries(node.fields).map(([name, field]) => [
          name,
          combined(field, each(versions, (of) => fieldIn(of, name)), join(path, name), choose),
        ]),
      );
    case "list":
      return Array.from({ length: node.count }, (_, at) =>
        combined(node.of, each(versions, (of) => entryAt(of, at)), join(path, at), choose),
      );
    case "keyed": {
      const lists = each(versions, (of) => new Map(entriesIn(of).map((entry) => [entry.key, entry])));
      return keysOf(each(lists, (list) => [...list.keys()])).flatMap((key) => {
        const entries = each(lists, (list) => list.get(key));
        if (entries.mine !== undefined && entries.theirs !== undefined) {
          return [{ key, ...(combined(node.of, entries, join(path, key), choose) as object) }];
        }
        const entry = choose(partOf(node.of, entries, join(path, key)));
        return entry === undefined ? [] : [entry];
      });
    }
    default:
      return choose(partOf(node, versions, path));
  }
}

function partOf(node: ContentNode, { base, mine, theirs }: Versions, path: string): Part {
  const verdict = isEqual(mine, theirs) ? "same" : isEqual(theirs, base) ? "mine" : isEqual(mine, base) ? "theirs" : "both";
  return { path, node, base, mine, theirs, verdict };
}

/** The keys of both versions: in the order of the one that moved entries, the other's new ones after the entry they follow there. */
function keysOf({ base, mine, theirs }: Versions<readonly string[]>): string[] {
  const isMoved = (side: readonly string[]) =>
    !isEqual(
      base.filter((key) => side.includes(key)),
      side.filter((key) => base.includes(key)),
    );
  const [first, second] = isMoved(theirs) && !isMoved(mine) ? [theirs, mine] : [mine, theirs];
  const ordered = [...first];
  second.forEach((key, at) => {
    if (!ordered.includes(key)) ordered.splice(at === 0 ? 0 : ordered.indexOf(second[at - 1] ?? "") + 1, 0, key);
  });
  return ordered;
}
