export { clashes, isEnabled, type Action, type ScreenKeys } from "./action";
export { isComposing, keyCap } from "./chord";
export { FootBar } from "./FootBar";
export { KeyCap } from "./KeyCap";
export { isTextField } from "./keyboard";
export { KeySheets, sheetActions } from "./KeySheets";
export { useActions, useBoundActions } from "./useActions";
