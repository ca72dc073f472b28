/** What browsers say when a part of the page that is fetched late does not come: Chromium, Firefox, Safari, Vite. */
const NOT_FETCHED = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** Whether a fault is a part that could not be fetched: a newer build has replaced it, or there is no connection. */
export function isNotFetched(error: unknown): boolean {
  return error instanceof Error && NOT_FETCHED.test(error.message);
}
