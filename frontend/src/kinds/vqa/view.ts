/** Visual questions as a kind: several about one picture, each answered by a short phrase. */
import type { KindView } from "../kind";
import { VqaEditor } from "./VqaEditor";
import { VqaFieldName } from "./VqaFieldName";
import { VqaReader } from "./VqaReader";
import { VqaGuide, VqaRuleChips } from "./VqaRules";

export const vqa: KindView = {
  Editor: VqaEditor,
  Reader: VqaReader,
  RuleChips: VqaRuleChips,
  Guide: VqaGuide,
  FieldName: VqaFieldName,
  instructionKey: "kinds:vqa.instruction",
};
