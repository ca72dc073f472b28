import { expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import { ImportRun } from "./importRun";
import type { ImportRow } from "./rows";

const rowsOf = (count: number): ImportRow[] => Array.from({ length: count }, (_, index) => ({ line: index + 2, image: `img-${index + 1}` }));

function setUp(count: number, answers: (() => { made: number; existing: number })[]) {
  const sent: [string, number][] = [];
  let keys = 0;
  const run = new ImportRun({
    rows: rowsOf(count),
    newKey: () => `key-${++keys}`,
    send: (rows, key) => {
      sent.push([key, rows.length]);
      const answer = answers.shift();
      return new Promise((resolve) => resolve(answer ? answer() : { made: rows.length, existing: 0 }));
    },
  });
  return { run, sent };
}
const throwing = (error: ApiError) => () => {
  throw error;
};

test("2,500 rows go in three batches", async () => {
  const { run, sent } = setUp(2_500, [() => ({ made: 998, existing: 2 })]);
  await run.run();
  expect(sent.map(([, size]) => size)).toEqual([1_000, 1_000, 500]);
  expect(run.snapshot()).toMatchObject({ state: "done", total: 2_500, answered: 2_500, made: 2_498, existing: 2, refused: 0 });
});

test("a refused batch is reported by the lines of the text, and the next continues", async () => {
  const refused = new ApiError(422, "rows_refused", { rows: [{ row: 3, code: "image_unknown", params: { image: "img-3" } }] });
  const { run } = setUp(1_500, [throwing(refused)]);
  await run.run();
  expect(run.snapshot()).toMatchObject({ state: "done", made: 500, refused: 1_000, answered: 1_500 });
  expect(run.snapshot().reports).toEqual([{ line: 4, image: "img-3", code: "image_unknown", params: { image: "img-3" } }]);
});

test("without a connection it rests and continues with the same key", async () => {
  const { run, sent } = setUp(1_500, [() => ({ made: 1_000, existing: 0 }), throwing(new ApiError(0, "no_connection"))]);
  await run.run();
  expect(run.snapshot()).toMatchObject({ state: "resting", answered: 1_000, error: { code: "no_connection" } });
  await run.run();
  expect(run.snapshot()).toMatchObject({ state: "done", made: 1_500, error: null });
  expect(sent.map(([key]) => key)).toEqual(["key-1", "key-2", "key-2"]);
});

test("stopped, it sends no further batch", async () => {
  const { run, sent } = setUp(3_000, []);
  const going = run.run();
  run.stop();
  await going;
  expect(sent).toHaveLength(1);
  expect(run.snapshot()).toMatchObject({ state: "stopped", made: 1_000 });
});
