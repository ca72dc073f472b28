/** Visual questions as a kind: several about one picture, each answered by a short phrase. */
import type { KindView } from "../kind";
import { carryFindings } from "../text/fields";
import { emptyPairs, fieldOf, firstEmptyField, fromTexts, textAt, textsOf } from "./content";
import { VqaEditor } from "./VqaEditor";
import { VqaReader } from "./VqaReader";
import { VqaGuide, VqaRuleChips } from "./VqaRules";

export const vqa: KindView = {
  empty: emptyPairs,
  fields: (content) => textsOf(content).length,
  firstEmpty: firstEmptyField,
  fieldOf,
  carry: (findings, before, after) => carryFindings(findings, before, after, textAt),
  parts: textsOf,
  fromParts: fromTexts,
  Editor: VqaEditor,
  Reader: VqaReader,
  RuleChips: VqaRuleChips,
  Guide: VqaGuide,
  instructionKey: "kinds:vqa.instruction",
};
