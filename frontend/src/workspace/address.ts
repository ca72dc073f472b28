/** Which addresses are the desk's: everything else is another page and loaded whole. */

const DESK = /^\/b\/[\w-]+\/work\/(\d+)$/;

export function isDesk(pathname: string): boolean {
  return DESK.test(pathname);
}

/** The package a desk's address names, or null. */
export function packageAt(pathname: string): number | null {
  const found = DESK.exec(pathname)?.[1];
  return found === undefined ? null : Number(found);
}
