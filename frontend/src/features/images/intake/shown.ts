/** Which cards a filter shows. */
import { isTakeable, type Card } from "./cards";

export const SHOWN = {
  moving: (card: Card) => ["queued", "sending", "offline", "interrupted", "checking"].includes(card.state),
  missing: (card: Card) => lacks(card),
  ready: isTakeable,
  refused: (card: Card) => card.state === "refused" || card.state === "failed",
  taken: (card: Card) => card.state === "taken" && card.row?.kind !== "zip",
} as const;
export type ShownName = keyof typeof SHOWN;
export const SHOWN_NAMES = Object.keys(SHOWN) as ShownName[];

/** Whether a picture still needs details. */
export function lacks(card: Card): boolean {
  return card.missing.length > 0 && card.row?.kind !== "zip" && !["refused", "failed", "taken"].includes(card.state);
}

/** Whether it can be described; details of an archive that is not unpacked yet go to all pictures in it. */
export function isOpen(card: Card): boolean {
  return !["refused", "failed", "taken"].includes(card.state);
}
