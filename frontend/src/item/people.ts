/** What people are called in comments: their names, or by their part where the protocol hides names. */
import type { Answer } from "@/api/request";
import type { Mentionable } from "./mentions";

type Person = Answer<"item_people">[number];

/** Labels that distinguish everyone: two without a name in one part are numbered. */
export function labelled(people: readonly Person[], partName: (part: Person["part"]) => string): Mentionable[] {
  const counts = new Map<string, number>();
  const taken = people.map(({ name, part }) => name ?? partName(part));
  return people.map(({ id }, index) => {
    const label = taken[index] ?? "";
    if (taken.filter((other) => other === label).length === 1) return { id, label };
    const number = (counts.get(label) ?? 0) + 1;
    counts.set(label, number);
    return { id, label: `${label}${number}` };
  });
}
