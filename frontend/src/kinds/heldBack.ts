/** Submitting was held back: what is missing is marked, and gets the focus. */
import { createContext } from "react";

/** How often since the last change; 0 while nothing is held back. */
export const HeldBackContext = createContext(0);
