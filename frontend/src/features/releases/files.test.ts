import { expect, test } from "vitest";
import { groupFiles, type ReleaseFile } from "./files";

const file = (name: string, format: string, bytes: number, is_key = false): ReleaseFile => ({
  name,
  format,
  kind: "captions",
  bytes,
  is_key,
  is_destroyed: false,
  sha256: "0".repeat(64),
  url: `/api/v1/releases/7/files/${name}`,
});

test("files are grouped by format in the protocol's order, then those of every release; key files are separate", () => {
  const { groups, keys } = groupFiles(
    [
      file("README.md", "card", 10),
      file("captions-train.jsonl", "jsonl", 100),
      file("captions-test-key.jsonl", "jsonl", 5, true),
      file("captions-train-00000-of-00001.parquet", "parquet", 900),
      file("captions-test.jsonl", "jsonl", 40),
    ],
    ["parquet", "jsonl"],
  );
  expect(groups.map(({ format, files, bytes }) => [format, files.map(({ name }) => name), bytes])).toEqual([
    ["parquet", ["captions-train-00000-of-00001.parquet"], 900],
    ["jsonl", ["captions-train.jsonl", "captions-test.jsonl"], 140],
    ["card", ["README.md"], 10],
  ]);
  expect(keys.map(({ name }) => name)).toEqual(["captions-test-key.jsonl"]);
});
