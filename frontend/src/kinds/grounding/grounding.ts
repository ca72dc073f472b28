/** Expressions and the objects they are about: the boxes of the picture's main category in the accepted boxes. */
import type { WorkRules } from "@/api/types";
import type { Point } from "@/picture/geometry";
import { regionsAt } from "@/picture/regions/hits";
import type { Box, Region } from "@/picture/regions/regions";
import type { Base } from "../base";
import { rulesOf, type About, type Content } from "../kind";
import { get } from "../tree";

const LIST = "expressions";

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

export const textPath = (key: string): string => `${LIST}.${key}.text`;
export const boxPath = (key: string): string => `${LIST}.${key}.box`;

/** The key of the object that a path is about; null for the list itself. */
export function keyOf(path: string): string | null {
  const [list, key = ""] = path.split(".");
  return list === LIST && key !== "" ? key : null;
}

/** The id of an expression's text field. */
export const fieldId = (key: string): string => `expression-${key}`;

/** Whether people choose which objects get an expression, because there are too many. */
export function isChosenFrom(rules: WorkRules, objects: readonly Region[]): boolean {
  return objects.length > mostOf(rules);
}

export const mostOf = (rules: WorkRules): number => rulesOf(rules, "grounding").expressions_maximum;

/** How many expressions a complete content has. */
export const expectedOf = (rules: WorkRules, objects: readonly Region[]): number => Math.max(1, Math.min(objects.length, mostOf(rules)));

/** The expressions in the order of their objects; those of objects that are no more come last. */
function contentOf(expressions: readonly Expression[], objects: readonly Region[]): Content {
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

/** The content with an expression about another object; unchanged when it has as many as there may be. */
export function choose(rules: WorkRules, content: Content, objects: readonly Region[], key: string): Content {
  const expressions = expressionsOf(rules, content);
  const object = objects.find((one) => one.key === key);
  if (object === undefined || expressions.length >= mostOf(rules) || expressions.some((one) => one.key === key)) return content;
  return contentOf([...expressions, { key, text: "", box: object.box }], objects);
}

export function remove(rules: WorkRules, content: Content, objects: readonly Region[], key: string): Content {
  return contentOf(expressionsOf(rules, content).filter((one) => one.key !== key), objects);
}

/** The content with the box that an expression's object has now. */
export function withNewBox(rules: WorkRules, content: Content, objects: readonly Region[], key: string): Content {
  const object = objects.find((one) => one.key === key);
  if (object === undefined) return content;
  return contentOf(expressionsOf(rules, content).map((one) => (one.key === key ? { ...one, box: object.box } : one)), objects);
}

export const isAt = (expression: Expression, object: Region): boolean => expression.box.join() === object.box.join();

/** The smallest object at a point. */
export const objectAt = (objects: readonly Region[], at: Point): Region | undefined => regionsAt(objects, at, 0)[0];

type Fate = "added" | "removed" | "changed" | "same";

/** The objects of a version with those of which the version before had an expression, and what became of each expression. */
export function changedObjects(rules: WorkRules, before: Content, after: Content): { objects: Region[]; fateOf: (key: string) => Fate } {
  const [earlier, later] = [before, after].map((content) => new Map(expressionsOf(rules, content).map((one) => [one.key, one])));
  return {
    objects: [...ownObjects(rules, after), ...ownObjects(rules, before).filter(({ key }) => later?.has(key) !== true)],
    fateOf: (key) => {
      const [then, now] = [earlier?.get(key), later?.get(key)];
      if (!then) return "added";
      if (!now) return "removed";
      return then.text === now.text && then.box.join() === now.box.join() ? "same" : "changed";
    },
  };
}
