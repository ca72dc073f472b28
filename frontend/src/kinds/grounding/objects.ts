/** Which objects the expressions of a content are about: all that the registry of kinds needs at once. */
import type { WorkRules } from "@/api/types";
import type { Box, Region } from "@/picture/regions/regions";
import type { Base } from "../base";
import { rulesOf, type About, type Content } from "../kind";
import { get } from "../tree";

export const LIST = "expressions";

export interface Expression {
  readonly key: string;
  readonly text: string;
  /** The object's box when the expression was written; empty in a draft without one. */
  readonly box: readonly number[];
}

export function expressionsOf(rules: WorkRules, content: Content): readonly Expression[] {
  return (get(rules.content, content, LIST) ?? []) as readonly Expression[];
}

const boxOf = ([x, y, width, height]: readonly number[]): Box | null =>
  x === undefined || y === undefined || width === undefined || height === undefined ? null : [x, y, width, height];

/** The boxes of the expressions themselves: where a version is read without what it rests on. */
export function ownObjects(rules: WorkRules, content: Content): Region[] {
  return expressionsOf(rules, content).flatMap(({ key, box }) => {
    const place = boxOf(box);
    return place === null ? [] : [{ key, box: place }];
  });
}

/** The objects of the main category in the accepted boxes, in the order in which they are numbered. */
export function objectsOf(base: Base | null, category: string | null): Region[] {
  const boxes = (base?.content.boxes ?? []) as readonly { key: string; category: string; box: readonly number[] }[];
  return boxes.flatMap(({ key, category: code, box }) => {
    const place = boxOf(box);
    return place === null || code !== category ? [] : [{ key, box: place }];
  });
}

/** Whether people choose which objects get an expression, because there are too many. */
export function isChosenFrom(rules: WorkRules, objects: readonly Region[]): boolean {
  return objects.length > mostOf(rules);
}

export const mostOf = (rules: WorkRules): number => rulesOf(rules, "grounding").expressions_maximum;

/** The expressions in the order of their objects; those of objects that are no more come last. */
export function contentOf(expressions: readonly Expression[], objects: readonly Region[]): Content {
  const places = new Map(objects.map(({ key }, at) => [key, at]));
  const place = ({ key }: Expression) => places.get(key) ?? objects.length;
  return { [LIST]: [...expressions].sort((a, b) => place(a) - place(b)).map(({ key, text, box }) => ({ key, text, box: [...box] })) };
}

/** The content with an expression for each object, unless its author chooses among them. */
export function begun(content: Content, { rules, base, category }: About): Content {
  const objects = objectsOf(base, category);
  const expressions = expressionsOf(rules, content);
  const missing = objects.filter(({ key }) => !expressions.some((one) => one.key === key));
  if (missing.length === 0 || isChosenFrom(rules, objects)) return content;
  return contentOf([...expressions, ...missing.map(({ key, box }) => ({ key, text: "", box }))], objects);
}

/** The number of an object on the picture. */
export function numberOf(key: string, content: Content, { rules, base, category }: About): number | null {
  const objects = base === null ? ownObjects(rules, content) : objectsOf(base, category);
  const at = objects.findIndex((object) => object.key === key);
  return at === -1 ? null : at + 1;
}

