/** What was changed from one text to the next, in pieces that can be read. */
import { diffChars, diffWordsWithSpace } from "diff";

const ONE = /^.$/u;

export interface Change {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Chinese is compared character by character; other scripts word by word, as their readers read. */
export function changesBetween(before: string, after: string): Change[] {
  const compare = /\p{Script=Han}/u.test(before + after) ? diffChars : diffWordsWithSpace;
  const raw = compare(before, after).map(
    ({ added, removed, value }): Change => ({ kind: added ? "added" : removed ? "removed" : "same", text: value }),
  );
  return gathered(raw);
}

/**
 * Between two changes a single character that happens to be the same is no landmark: it counts as changed with them,
 * and what stands together was removed first and added after.
 */
function gathered(raw: readonly Change[]): Change[] {
  const found: Change[] = [];
  let removed = "";
  let added = "";
  const close = () => {
    if (removed !== "") found.push({ kind: "removed", text: removed });
    if (added !== "") found.push({ kind: "added", text: added });
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
        found.push(change);
      }
    }
  });
  close();
  return found;
}
