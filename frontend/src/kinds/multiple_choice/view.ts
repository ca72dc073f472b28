/** Multiple choice as a kind: a question about one picture with one right option, in one language or in two. */
import type { KindView } from "../kind";
import { candidateActions } from "../concepts/actions";
import { multipleChoiceActions } from "./actions";
import { MultipleChoiceCheck } from "./MultipleChoiceCheck";
import { MultipleChoiceEditor } from "./MultipleChoiceEditor";
import { MultipleChoiceFieldName } from "./MultipleChoiceFieldName";
import { MultipleChoiceReader } from "./MultipleChoiceReader";
import { MultipleChoiceGuide, MultipleChoiceRuleChips } from "./MultipleChoiceRules";

export const multipleChoice: KindView = {
  Editor: MultipleChoiceEditor,
  Reader: MultipleChoiceReader,
  Check: MultipleChoiceCheck,
  RuleChips: MultipleChoiceRuleChips,
  Guide: MultipleChoiceGuide,
  FieldName: MultipleChoiceFieldName,
  actions: [...multipleChoiceActions, ...candidateActions],
  instructionKey: "kinds:multiple_choice.instruction",
};
