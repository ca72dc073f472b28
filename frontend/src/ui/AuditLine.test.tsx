import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { AuditLine } from "./AuditLine";

test("a correction shows the value before and the new one, by the names that the page knows", async () => {
  const data = { category: "tea", licence: "CC0-1.0", before: { category: "cup", licence: "own-work" } };
  const names = new Map([["tea", "Tea"], ["cup", "Cup"]]);
  const event = { action: "image_correct", target_type: "image", state_from: null, state_to: null, data };
  const { container } = await renderScreen(<AuditLine event={event} reasonName={(code) => names.get(code) ?? code} />);
  expect(container.textContent).toBe("Corrected the picture’s details Cup → Tea own-work → CC0-1.0");
});
