/** What was changed from one text to the next, in pieces that can be read. */
import { diffChars, diffWordsWithSpace } from "diff";

const ONE = /^.$/u;

interface Change {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Two long texts that differ in more places have too little in common to be worth a search; it takes the square of them. */
const MOST_EDITS = 200;

/** Chinese is compared character by character; other scripts word by word, as their readers read. */
export function changesBetween(before: string, after: string): Change[] {
  const compare = /\p{Script=Han}/u.test(before + after) ? diffChars : diffWordsWithSpace;
  const parts = compare(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  }
  return gathered(
    parts.map(({ added, removed, value }) => ({ kind: added ? "added" : removed ? "removed" : "same", text: value })),
  );
}

/**
 * Between two changes a single character that happens to be the same is no landmark: it counts as changed with them,
 * and of adjacent changes what was removed comes first.
 */
function gathered(raw: readonly Change[]): Change[] {
  const changes: Change[] = [];
  let removed = "";
  let added = "";
  const close = () => {
    if (removed !== "") changes.push({ kind: "removed", text: removed });
    if (added !== "") changes.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  raw.forEach((change, index) => {
    if (change.kind === "removed") removed += change.text;
    else if (change.kind === "added") added += change.text;
    else {
      const isBetween = removed + added !== "" && index < raw.length - 1;
      if (isBetween && ONE.test(change.text)) {
        removed += change.text;
        added += change.text;
      } else {
        close();
        changes.push(change);
      }
    }
  });
  close();
  return changes;
}
