/** Days as a reader picks them, and the moments between which they lie in the reader's own zone. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight that begins the day, `later` days on; undefined for what is no day. */
function midnight(day: string, later: number): string | undefined {
  const parts = DAY.exec(day);
  if (!parts) return undefined;
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const at = new Date(year, month - 1, date + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** From the beginning of the first day up to, and without, the day after the last. */
export function between(from: string, to: string): { since: string | undefined; until: string | undefined } {
  return { since: midnight(from, 0), until: midnight(to, 1) };
}
