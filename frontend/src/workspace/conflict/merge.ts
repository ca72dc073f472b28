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

export interface MergeSlot {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  readonly verdict: MergeVerdict;
}

/** A side, a text of the person's own, or nothing decided yet. */
export type MergeChoice = "mine" | "theirs" | "edited" | null;

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

/** The side that changed; nothing where both did: that is the person's to decide. */
export function proposedChoices(slots: readonly MergeSlot[]): MergeChoice[] {
  return slots.map(({ verdict }) => (verdict === "both" ? null : verdict === "theirs" ? "theirs" : "mine"));
}

/** What each choice would submit; this person's own text where nothing is decided yet. */
export function mergedTexts(slots: readonly MergeSlot[], choices: readonly MergeChoice[]): string[] {
  return slots.map((slot, index) => (choices[index] === "theirs" ? slot.theirs : slot.mine));
}
