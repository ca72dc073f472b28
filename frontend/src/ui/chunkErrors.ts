/** The messages of browsers when a lazily loaded chunk fails to load: Chromium, Firefox, Safari, Vite. */
const CHUNK_LOAD_ERROR = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** Whether an error is a chunk that failed to load: a newer build has replaced it, or there is no connection. */
export function isChunkLoadError(error: unknown): boolean {
  return error instanceof Error && CHUNK_LOAD_ERROR.test(error.message);
}
