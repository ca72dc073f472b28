/** Grounding as a kind: for each object of the picture's main category an expression that fits no other. */
import type { KindView } from "../kind";
import { lazily } from "../lazily";
import { begun, numberOf } from "./objects";

const part = lazily(() => import("./parts"));

export const grounding: KindView = {
  Editor: part((parts) => parts.GroundingEditor),
  Reader: part((parts) => parts.GroundingReader),
  Overlay: part((parts) => parts.GroundingOverlay),
  RuleChips: part((parts) => parts.GroundingRuleChips),
  Guide: part((parts) => parts.GroundingGuide),
  FieldName: part((parts) => parts.GroundingFieldName),
  Leaf: part((parts) => parts.BoxLeaf),
  begin: begun,
  numberOf,
  waitsForCheck: true,
  isClicked: true,
  instructionKey: "kinds:grounding.instruction",
  nothingKey: "kinds:grounding.nothing",
};
