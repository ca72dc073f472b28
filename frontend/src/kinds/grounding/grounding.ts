/** Expressions and the objects they are about: the boxes of the picture's main category in the accepted boxes. */
import type { WorkRules } from "@/api/types";
import type { Point } from "@/picture/geometry";
import { regionsAt } from "@/picture/regions/hits";
import type { Region } from "@/picture/regions/regions";
import type { Content } from "../kind";
import { contentOf, expressionsOf, LIST, mostOf, ownObjects, type Expression } from "./objects";

export const textPath = (key: string): string => `${LIST}.${key}.text`;
export const boxPath = (key: string): string => `${LIST}.${key}.box`;

/** The key of the object that a path is about; null for the list itself. */
export function keyOf(path: string): string | null {
  const [list, key = ""] = path.split(".");
  return list === LIST && key !== "" ? key : null;
}

/** The id of an expression's text field. */
export const fieldId = (key: string): string => `expression-${key}`;

/** How many expressions a complete content has. */
export const expectedOf = (rules: WorkRules, objects: readonly Region[]): number => Math.max(1, Math.min(objects.length, mostOf(rules)));

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
