/** What is fetched when expressions are shown for the first time. */
export { BoxLeaf } from "../BoxLeaf";
export { GroundingEditor } from "./GroundingEditor";
export { GroundingFieldName } from "./GroundingFieldName";
export { GroundingOverlay } from "./GroundingOverlay";
export { GroundingReader } from "./GroundingReader";
export { GroundingGuide, GroundingRuleChips } from "./GroundingRules";
