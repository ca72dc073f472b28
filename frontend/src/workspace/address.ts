/** Which addresses are the desk's: everything else is another page and loaded whole. */
import { deskOf, type PlaceOfItem } from "@/item/desk";

const DESK = /^\/b\/[\w-]+\/work\/(\d+)$/;

export function isDesk(pathname: string): boolean {
  return DESK.test(pathname);
}

/** The package a desk's address names, or null. */
export function packageAt(pathname: string): number | null {
  const found = DESK.exec(pathname)?.[1];
  return found === undefined ? null : Number(found);
}

/** The item an address names, to be opened first; null for whichever is next. */
export function itemIdIn(query: URLSearchParams): number | null {
  return Number(query.get("item")) || null;
}

/** Where what is on its way was written. Entries that an older build left behind have no track: they are of packages. */
export function addressOfEntry(slug: string, entry: Omit<PlaceOfItem, "track"> & Partial<Pick<PlaceOfItem, "track">>): string {
  return deskOf(slug, { ...entry, track: entry.track ?? "package" }) ?? `/b/${slug}/items/${entry.itemId}`;
}
