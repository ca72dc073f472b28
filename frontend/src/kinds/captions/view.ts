/** Captions as a kind: several sentences about one picture. */
import type { KindView } from "../kind";
import { CaptionsEditor } from "./CaptionsEditor";
import { CaptionsFieldName } from "./CaptionsFieldName";
import { CaptionsGuide, CaptionsRuleChips } from "./CaptionsRules";
import { CaptionsReader } from "./CaptionsReader";

export const captions: KindView = {
  Editor: CaptionsEditor,
  Reader: CaptionsReader,
  RuleChips: CaptionsRuleChips,
  Guide: CaptionsGuide,
  FieldName: CaptionsFieldName,
  instructionKey: "kinds:captions.instruction",
};
