/** Dialogues as a kind: questions about a picture that their author did not see, with the answers. */
import type { KindView } from "../kind";
import { DialogueEditor } from "./DialogueEditor";
import { DialogueFieldName } from "./DialogueFieldName";
import { DialogueReader } from "./DialogueReader";
import { DialogueGuide, DialogueRuleChips } from "./DialogueRules";

export const dialogue: KindView = {
  Editor: DialogueEditor,
  Reader: DialogueReader,
  RuleChips: DialogueRuleChips,
  Guide: DialogueGuide,
  FieldName: DialogueFieldName,
  instructionKey: "kinds:dialogue.instruction",
};
