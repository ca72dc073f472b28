import { describe, expect, it } from "vitest";
import { pageOf } from "./auditTarget";

describe("pageOf", () => {
  it.each([
    [{ target_type: "image", target_id: 7 }, "/pictures/7"],
    [{ target_type: "item", target_id: 7, data: { package_id: 3 } }, "/items/7"],
    [{ target_type: "inspection", target_id: 7, data: {} }, null],
    [{ target_type: "inspection", target_id: 7, data: { package_id: 3 } }, "/packages/3/inspection"],
    [{ target_type: "guideline", target_id: 7, data: { kind: "captions", version: 2 } }, "/guidelines/captions"],
    [{ target_type: "prompt", target_id: 7, data: { prompt: "cvlue-vqa", language: "en", no: 101 } }, "/prompts/cvlue-vqa/en/101"],
    [{ target_type: "prompt", target_id: 7 }, "/prompts"],
    [{ target_type: "person", target_id: 7 }, "/people/7"],
    [{ target_type: "submission", target_id: 7, data: { release_id: 3 } }, "/releases/3/submissions/7"],
    [{ target_type: "run", target_id: 7 }, "/runs/7"],
    [{ target_type: "import", target_id: 7 }, "/imports/7"],
    [{ target_type: "token", target_id: 7 }, null],
  ])("leads %j to %s", (event, page) => {
    expect(pageOf(event)).toBe(page);
  });
});
