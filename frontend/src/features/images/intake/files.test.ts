// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { filesDropped, picturesAmong } from "./files";

const file = (name: string, type = "image/jpeg", text = "x") => new File([text], name, { type });

/** A folder as browsers hand it over: read in portions. */
function folder(name: string, portions: FileSystemEntry[][]): FileSystemEntry {
  return {
    name,
    isFile: false,
    isDirectory: true,
    createReader: () => {
      const left = [...portions];
      return { readEntries: (done: (entries: FileSystemEntry[]) => void) => done(left.shift() ?? []) };
    },
  } as unknown as FileSystemEntry;
}
const entry = (of: File) => ({ name: of.name, isFile: true, isDirectory: false, file: (done: (file: File) => void) => done(of) }) as unknown as FileSystemEntry;
const dropped = (...entries: FileSystemEntry[]) =>
  ({ items: entries.map((one) => ({ kind: "file", webkitGetAsEntry: () => one })), files: [] }) as unknown as DataTransfer;

describe("picturesAmong", () => {
  it("keeps pictures and archives, by type or by name, and names the others", () => {
    const { files, rejected } = picturesAmong([
      file("a.jpg"),
      file("b.PNG", ""),
      file("c.zip", "application/zip"),
      file("d.pdf", "application/pdf"),
      file("empty.jpg", "image/jpeg", ""),
    ]);
    expect(files.map((one) => one.name)).toEqual(["a.jpg", "b.PNG", "c.zip"]);
    expect(rejected).toEqual(["d.pdf", "empty.jpg"]);
  });

  it("does not mention what only the computer put there", () => {
    expect(picturesAmong([file(".DS_Store", ""), file("Thumbs.db", "")])).toEqual({ files: [], rejected: [] });
  });
});

describe("filesDropped", () => {
  it("reads folders in folders to their end", async () => {
    const inner = folder("inner", [[entry(file("2.jpg"))], [entry(file("3.jpg"))]]);
    const outer = folder("outer", [[entry(file("1.jpg")), inner, folder("__MACOSX", [[entry(file("x.jpg"))]])]]);
    const { files } = await filesDropped(dropped(outer, entry(file("4.jpg"))));
    expect(files.map((one) => one.name)).toEqual(["1.jpg", "2.jpg", "3.jpg", "4.jpg"]);
  });
});
