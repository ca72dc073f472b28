/** Where a link in somebody's text may lead. */

const SAFE = new Set(["http:", "https:", "mailto:"]);

/** The address as the browser reads it, or null for one that is no whole address or of another kind (javascript:, data:). */
export function safeAddress(written: string): string | null {
  try {
    const address = new URL(written);
    return SAFE.has(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}
