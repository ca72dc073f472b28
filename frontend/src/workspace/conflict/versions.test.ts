import { expect, test } from "vitest";
import { captions } from "@/kinds/captions/view";
import { versionsIn } from "./versions";

const mine = { captions: ["我的"] };

test("a 409's body gives the three texts and the revision to continue from", () => {
  const body = {
    code: "stale_revision",
    params: { base_no: 1, revision_no: 2 },
    mine,
    theirs: { captions: ["对方"] },
    base: { captions: ["原来"] },
  };
  expect(versionsIn(body, mine, captions)).toEqual({ base: ["原来"], mine: ["我的"], theirs: ["对方"], theirsNo: 2 });
});

test("without a base every difference is for the person to decide", () => {
  const body = { params: { revision_no: 1 }, theirs: { captions: ["对方"] }, base: null };
  expect(versionsIn(body, mine, captions)?.base).toEqual([]);
});

test("an answer without the other text gives nothing to compare", () => {
  expect(versionsIn({ code: "stale_revision", params: { revision_no: 2 } }, mine, captions)).toBeNull();
  expect(versionsIn(null, mine, captions)).toBeNull();
});
