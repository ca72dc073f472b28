/** Files out of what is dropped, chosen or pasted: also whole folders, without what only the computer put into them. */

const ARCHIVE = /\.zip$/i;
const PICTURE = /\.(jpe?g|png|webp|heic|heif|avif|gif|tiff?|bmp)$/i;
/** What systems leave in folders. */
const LITTER = /^(\.|thumbs\.db$|desktop\.ini$|__macosx$)/i;

export interface Gathered {
  files: File[];
  /** Names of those that were not included because they are no pictures. */
  rejected: string[];
}

/** Pictures and archives among files; what they really are the server finds out from their bytes. */
export function picturesAmong(files: Iterable<File>): Gathered {
  const gathered: Gathered = { files: [], rejected: [] };
  for (const file of files) {
    if (LITTER.test(file.name)) continue;
    const wanted = file.type.startsWith("image/") || PICTURE.test(file.name) || ARCHIVE.test(file.name) || file.type.includes("zip");
    if (wanted && file.size > 0) gathered.files.push(file);
    else gathered.rejected.push(file.name);
  }
  return gathered;
}

/** Everything dropped, folder by folder. Entries must be asked for before the event is over, so this begins at once. */
export async function filesDropped(transfer: DataTransfer): Promise<Gathered> {
  const entries = [...transfer.items].flatMap((item) => (item.kind === "file" ? (item.webkitGetAsEntry() ?? []) : []));
  if (entries.length === 0) return picturesAmong(transfer.files);
  const files: File[] = [];
  for (const entry of entries) await gather(entry, files);
  return picturesAmong(files);
}

async function gather(entry: FileSystemEntry, into: File[]): Promise<void> {
  if (LITTER.test(entry.name)) return;
  if (entry.isFile) {
    into.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A folder is read in portions of a hundred until one comes back empty.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return;
    for (const one of portion) await gather(one, into);
  }
}
