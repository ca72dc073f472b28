export { ActionButtons } from "./ActionButtons";
export { clashes, isEnabled, type Action, type ScreenKeys } from "./action";
export { isComposing } from "./chord";
export { FootBar } from "./FootBar";
export { keepFocus } from "./keepFocus";
export { KeyCap } from "./KeyCap";
export { isTextField } from "./keyboard";
export { KeySheets, sheetActions } from "./KeySheets";
export { useActions } from "./useActions";
