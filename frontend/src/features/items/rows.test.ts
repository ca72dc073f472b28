import { expect, test } from "vitest";
import { readRows } from "./rows";

test("a list of pictures, one a line, with or without slots", () => {
  expect(readRows("img-0042\n\n  43 \r\nimg-0044,2\nimg-0045\t1")).toEqual({
    rows: [
      { line: 1, image: "img-0042" },
      { line: 3, image: "43" },
      { line: 4, image: "img-0044", slot: 2 },
      { line: 5, image: "img-0045", slot: 1 },
    ],
    faults: [],
  });
});

test("CSV with a heading in any order, quoted cells, a byte order mark", () => {
  expect(readRows('\uFEFFslot,note,"image"\n1,"late",img-0001\n,,"img-0002"').rows).toEqual([
    { line: 2, image: "img-0001", slot: 1 },
    { line: 3, image: "img-0002" },
  ]);
});

test("JSON lines", () => {
  expect(readRows('{"image": "img-0001", "slot": 0}\n{"image": 7}').rows).toEqual([
    { line: 1, image: "img-0001", slot: 0 },
    { line: 2, image: "7" },
  ]);
});

test("lines that cannot be read are named", () => {
  expect(readRows('{"image": \nimg-0001,-1\n,3\nimg-0002,x\n{"slot": 1}').faults).toEqual([
    { line: 1, code: "no_json" },
    { line: 2, code: "slot_wrong" },
    { line: 3, code: "no_picture" },
    { line: 4, code: "slot_wrong" },
    { line: 5, code: "no_picture" },
  ]);
});
