/** Boxes as a kind: every object of a listed category on the picture, each in a box with its category. */
import { pictureRegionActions } from "@/picture/regions/actions";
import type { KindView } from "../kind";
import { lazily } from "../lazily";

const part = lazily(() => import("./parts"));

export const boxes: KindView = {
  Editor: part((parts) => parts.BoxesEditor),
  Reader: part((parts) => parts.BoxesReader),
  Overlay: part((parts) => parts.BoxesOverlay),
  RuleChips: part((parts) => parts.BoxesRuleChips),
  Guide: part((parts) => parts.BoxesGuide),
  FieldName: part((parts) => parts.BoxesFieldName),
  Leaf: part((parts) => parts.BoxLeaf),
  Changes: part((parts) => parts.BoxesChanges),
  waitsForCheck: true,
  actions: pictureRegionActions,
  instructionKey: "kinds:boxes.instruction",
  incompleteKey: "kinds:boxes.incomplete",
  nothingKey: "kinds:boxes.nothing",
};
