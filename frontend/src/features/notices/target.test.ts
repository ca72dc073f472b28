import { expect, it } from "vitest";
import { pageOfNotice } from "./target";

const benchmark = { slug: "demo", title: { "zh-Hans": "试", "zh-Hant": "試", en: "Trial" } };

it.each([
  [{ benchmark, target_type: "item", target_id: 5, params: { item: "cap-000005" } }, "/b/demo/items/5"],
  [{ benchmark, code: "item_click_failed" as const, target_type: "item", target_id: 5, params: {} }, "/b/demo/write/items/5"],
  [{ benchmark, code: "item_base_changed" as const, target_type: "item", target_id: 5, params: {} }, "/b/demo/write/items/5"],
  [{ benchmark, code: "item_decided" as const, target_type: "item", target_id: 5, params: {} }, "/b/demo/items/5"],
  [{ benchmark, code: "item_sent_back" as const, target_type: "item", target_id: 5, params: {} }, "/b/demo/team/items/5"],
  [{ benchmark, code: "item_edited" as const, target_type: "item", target_id: 5, params: {} }, "/b/demo/items/5#history"],
  [{ benchmark, target_type: "package", target_id: 7, params: {} }, "/b/demo/packages/7"],
  [{ benchmark, target_type: "guideline", target_id: 2, params: { kind: "captions", version: 2 } }, "/b/demo/guidelines/captions"],
  [{ benchmark, target_type: "protocol", target_id: 9, params: { version: 3, before: 2 } }, "/b/demo/protocol/compare?version=3&with=2"],
  [{ benchmark, target_type: "protocol_proposal", target_id: 4, params: { version: 3 } }, "/b/demo/protocol/proposals/4"],
  [{ benchmark, code: "erratum_confirmed" as const, target_type: "erratum", target_id: 3, params: {} }, "/b/demo/errata"],
  [{ benchmark: null, target_type: "item", target_id: 5, params: {} }, null],
])("a notice about %j opens %s", (notice, page) => {
  expect(pageOfNotice({ code: "mentioned", ...notice })).toBe(page);
});

it("leads people outside the team to their page of errata", () => {
  const notice = { benchmark, code: "erratum_confirmed" as const, target_type: "erratum", target_id: 3, params: {} };
  expect(pageOfNotice(notice, true)).toBe("/submit/demo/errata");
});
