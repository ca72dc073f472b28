/** Which cards a filter shows. */
import { canBeAdded, type Card } from "./cards";

export const CARD_FILTERS = {
  moving: (card: Card) => ["queued", "sending", "offline", "interrupted", "checking"].includes(card.state),
  missing: (card: Card) => isIncomplete(card),
  ready: canBeAdded,
  refused: (card: Card) => card.state === "refused" || card.state === "failed",
  taken: (card: Card) => card.state === "taken" && card.row?.kind !== "zip",
} as const;
export type CardFilter = keyof typeof CARD_FILTERS;
export const CARD_FILTER_NAMES = Object.keys(CARD_FILTERS) as CardFilter[];

/** Whether a picture still needs details. */
export function isIncomplete(card: Card): boolean {
  return card.missing.length > 0 && card.row?.kind !== "zip" && !["refused", "failed", "taken"].includes(card.state);
}

/** Whether it can be described; details of an archive that is not unpacked yet go to all pictures in it. */
export function isOpen(card: Card): boolean {
  return !["refused", "failed", "taken"].includes(card.state);
}
