/** Which links in a text are safe to follow. */

const SAFE = new Set(["http:", "https:", "mailto:"]);

/** The absolute address as the browser reads it; null for relative ones and for other protocols (javascript:, data:). */
export function safeAddress(written: string): string | null {
  try {
    const address = new URL(written);
    return SAFE.has(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}
