/** What is fetched when boxes are shown for the first time. */
export { BoxesChanges } from "./BoxesChanges";
export { BoxesEditor } from "./BoxesEditor";
export { BoxesFieldName } from "./BoxesFieldName";
export { BoxLeaf } from "../BoxLeaf";
export { BoxesOverlay } from "./BoxesOverlay";
export { BoxesReader } from "./BoxesReader";
export { BoxesGuide, BoxesRuleChips } from "./BoxesRules";
