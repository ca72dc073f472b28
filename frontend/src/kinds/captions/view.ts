/** Captions as a kind: several sentences about one picture. */
import type { KindView } from "../kind";
import { CaptionsEditor } from "./CaptionsEditor";
import { CaptionsGuide, CaptionsRuleChips } from "./CaptionsRules";
import { CaptionsReader } from "./CaptionsReader";
import { carryFindings } from "../text/fields";
import { captionAt, captionsOf, emptyCaptions, firstEmptySlot, slotOf } from "./content";

export const captions: KindView = {
  empty: emptyCaptions,
  fields: (content) => captionsOf(content).length,
  firstEmpty: firstEmptySlot,
  fieldOf: slotOf,
  carry: (findings, before, after) => carryFindings(findings, before, after, captionAt),
  parts: captionsOf,
  fromParts: (parts) => ({ captions: [...parts] }),
  Editor: CaptionsEditor,
  Reader: CaptionsReader,
  RuleChips: CaptionsRuleChips,
  Guide: CaptionsGuide,
  instructionKey: "kinds:captions.instruction",
};
