/** Which files were started in this browser, so that the same file chosen again continues where it stopped. */

export interface StartedUpload {
  /** Client key of the upload; the server answers a repeated beginning with the same upload. */
  key: string;
  /** The upload, once the server has named it. */
  id: string | null;
}

export interface UploadMemory {
  get: (fingerprint: string) => StartedUpload | null;
  set: (fingerprint: string, upload: StartedUpload) => void;
  forget: (fingerprint: string) => void;
}

/** Two files with the same one are taken for the same file; the server compares their bytes. */
export function fingerprintOf(file: File): string {
  return `${file.name}|${file.size}|${file.lastModified}`;
}

/** Longer than the server keeps what it received of a file. */
const KEPT_MS = 14 * 24 * 3_600_000;

/** One entry per file in the browser's storage, apart for each person and benchmark. */
export function browserMemory(person: number, slug: string, storage: Storage = localStorage, now: () => number = Date.now): UploadMemory {
  const prefix = `lantern.upload.${person}.${slug}.`;
  sweep(storage, prefix, now() - KEPT_MS);
  return {
    get(fingerprint) {
      const found = read(storage.getItem(prefix + fingerprint));
      return found && { key: found.key, id: found.id };
    },
    set(fingerprint, upload) {
      try {
        storage.setItem(prefix + fingerprint, JSON.stringify({ ...upload, at: now() }));
      } catch {
        // A full or closed storage costs only the resuming after a reload.
      }
    },
    forget(fingerprint) {
      storage.removeItem(prefix + fingerprint);
    },
  };
}

function read(text: string | null): (StartedUpload & { at: number }) | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<StartedUpload & { at: number }>;
    if (typeof value.key !== "string" || typeof value.at !== "number") return null;
    return { key: value.key, id: typeof value.id === "string" ? value.id : null, at: value.at };
  } catch {
    return null;
  }
}

function sweep(storage: Storage, prefix: string, before: number): void {
  const names = Array.from({ length: storage.length }, (_, i) => storage.key(i));
  for (const name of names) {
    if (name?.startsWith(prefix) !== true) continue;
    const found = read(storage.getItem(name));
    if (found === null || found.at < before) storage.removeItem(name);
  }
}
