import { expect, test } from "vitest";
import type { WorkItem } from "@/api/types";
import { returnReasons } from "./reasons";

const sent = (reasons: string[], comment = ""): Pick<WorkItem, "returned"> => ({
  returned: { reasons, comment, stage: "inspection", by: { id: 1, name: "Wang Fang" } },
});

test("reasons by how often they were given, words once and no more than two", () => {
  const items = [sent(["speech"], "mends"), { returned: null }, sent(["names", "speech"], "mends"), sent([], "b"), sent([], "c")];
  expect(returnReasons(items)).toEqual({
    number: 4,
    reasons: [
      { code: "speech", n: 2 },
      { code: "names", n: 1 },
    ],
    comments: ["mends", "b"],
  });
});
