import { expect, test } from "vitest";
import { lineOf, metricsOf, sortedBy, type ScoreLine, type SystemScores } from "./scores";

const line = (scope: "t2i" | "i2t", metric: string, value: number | null) => ({ scope, metric, value }) as ScoreLine;
const system = (run: number, ...metrics: ScoreLine[]) => ({ run, metrics }) as SystemScores;

test("metrics stand in order of rank, not of spelling", () => {
  const one = system(1, line("t2i", "R@10", 0.9), line("t2i", "R@1", 0.3), line("i2t", "R@5", 0.5));
  expect(metricsOf([one])).toEqual(["R@1", "R@5", "R@10"]);
  expect(lineOf(one, "i2t", "R@5")?.value).toBe(0.5);
  expect(lineOf(one, "i2t", "R@1")).toBeNull();
});

test("systems are sorted best first, those without the figure last", () => {
  const rows = [
    system(1),
    system(2, line("t2i", "R@1", 0.2)),
    system(3, line("t2i", "R@1", null)),
    system(4, line("t2i", "R@1", 0.6)),
  ];
  expect(sortedBy(rows, { scope: "t2i", metric: "R@1" }).map(({ run }) => run)).toEqual([4, 2, 1, 3]);
});
