/** How long to wait before a failed write is tried again. */

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * Doubles from one second to thirty, with up to a fifth taken off at random so that a room
 * full of browsers does not return to a restarted server in the same instant.
 *
 * @param attempt failures so far, from 1
 * @param random a number in [0, 1)
 */
export function backoffMs(attempt: number, random: number = Math.random()): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, attempt - 1));
  return Math.round(full * (1 - 0.2 * random));
}
