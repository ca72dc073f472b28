/** Converts the reader's days to moments in their time zone. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight at the start of the day, `later` days later; undefined for an invalid date. */
function midnight(day: string, later: number): string | undefined {
  const parts = DAY.exec(day);
  if (!parts) return undefined;
  const [year, month, date] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const at = new Date(year, month - 1, date + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** From the start of the first day to the end of the last. */
export function between(from: string, to: string): { since: string | undefined; until: string | undefined } {
  return { since: midnight(from, 0), until: midnight(to, 1) };
}
