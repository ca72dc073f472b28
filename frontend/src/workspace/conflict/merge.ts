/** Puts two texts that grew from one base side by side, slot by slot. */

type MergeVerdict =
  /** Both sides have the same text. */
  | "same"
  /** Only this side changed it. */
  | "mine"
  /** Only the other side changed it. */
  | "theirs"
  /** Both changed it, differently: a person decides. */
  | "both";

interface MergeSlot {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  readonly verdict: MergeVerdict;
}

export type MergeChoice = "mine" | "theirs";

/** Compares slot by slot; a side that is shorter counts as empty there. */
export function compareVersions(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): MergeSlot[] {
  const slots = Math.max(base.length, mine.length, theirs.length);
  return Array.from({ length: slots }, (_, index) => {
    const slot = { base: base[index] ?? "", mine: mine[index] ?? "", theirs: theirs[index] ?? "" };
    return { ...slot, verdict: verdictOf(slot) };
  });
}

function verdictOf({ base, mine, theirs }: { base: string; mine: string; theirs: string }): MergeVerdict {
  if (mine === theirs) return "same";
  if (theirs === base) return "mine";
  if (mine === base) return "theirs";
  return "both";
}

/** What to propose: the side that changed; where both did, this person's own text. */
export function proposedChoices(slots: readonly MergeSlot[]): MergeChoice[] {
  return slots.map((slot) => (slot.verdict === "theirs" ? "theirs" : "mine"));
}

export function mergedTexts(slots: readonly MergeSlot[], choices: readonly MergeChoice[]): string[] {
  return slots.map((slot, index) => (choices[index] === "theirs" ? slot.theirs : slot.mine));
}
