/** A release's files by format; withheld answers are separate from everything else. */
import type { ReleaseDetail } from "@/api/types";

export type ReleaseFile = ReleaseDetail["files"][number];

interface FileGroup {
  readonly format: string;
  readonly files: readonly ReleaseFile[];
  readonly bytes: number;
}

export function groupFiles(files: readonly ReleaseFile[], formats: readonly string[]): { groups: FileGroup[]; keys: ReleaseFile[] } {
  const open = files.filter((file) => !file.is_key);
  const rank = (format: string) => {
    const at = formats.indexOf(format);
    // Files that every release has (card, licences, checksums) come after the chosen formats.
    return at === -1 ? formats.length : at;
  };
  const names = [...new Set(open.map((file) => file.format))].sort((a, b) => rank(a) - rank(b));
  const groups = names.map((format) => {
    const own = open.filter((file) => file.format === format);
    return { format, files: own, bytes: total(own) };
  });
  return { groups, keys: files.filter((file) => file.is_key) };
}

export function total(files: readonly ReleaseFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}
