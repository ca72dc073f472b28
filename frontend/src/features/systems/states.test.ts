import { expect, test } from "vitest";
import { grouped, isCommit, pollAfter, short } from "./states";

test("groups that ship come first, unnamed ones last", () => {
  const rows = ["", "mine", "hosted", "dual_encoder", "mine"].map((group, at) => ({ group, at }));
  expect(grouped(rows).map(([group, members]) => [group, members.map((one) => one.at)])).toEqual([
    ["dual_encoder", [3]],
    ["hosted", [2]],
    ["mine", [1, 4]],
    ["", [0]],
  ]);
});

test("only forty small hexadecimal digits are a commit", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  expect([commit, commit.slice(1), commit.toUpperCase(), "main"].map(isCommit)).toEqual([true, false, false, false]);
  expect([commit, "main"].map(short)).toEqual(["0123456789", "main"]);
});

test("only a fetch under way is asked again", () => {
  expect([pollAfter([{ state: "ready" }]), pollAfter([{ state: "ready" }, { state: "fetching" }])]).toEqual([false, 1_500]);
});
