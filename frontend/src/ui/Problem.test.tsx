import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { Problem } from "./Problem";

test.each([
  ["item_star", "excluded", "Excluded"],
  ["spot_right", "returned", "Returned"],
  ["release_freeze", "published", "Published"],
  ["package_review", "handed_over", "To review"],
  ["odd", "new_state", "new_state"],
])("the state of a refused action is named in words (%s)", async (action, state, name) => {
  await renderScreen(<Problem error={{ code: "action_not_allowed", params: { action, state } }} />);
  expect((await screen.findByTestId("problem")).textContent).toContain(`(${name})`);
});

test.each([
  ["img-0009", "identical to img-0009"],
  [null, "already in the benchmark"],
])("a duplicate of a picture that the reader may not see does not name it (%s)", async (twin, sentence) => {
  await renderScreen(<Problem error={{ code: "image_duplicate", params: { twin } }} />);
  expect((await screen.findByTestId("problem")).textContent).toContain(sentence);
});

test.each([
  ["GIF", "This file type (GIF) is not supported. Nothing was saved; use JPEG, PNG, WebP, or HEIC."],
  [null, "The file’s contents are no picture, or are damaged, whatever its name. Nothing was saved; open it in an image program and save it as JPEG, PNG, WebP, or HEIC."],
])("a refused file is called by its type, and one of no known type by what that means (%s)", async (found, sentence) => {
  await renderScreen(<Problem error={{ code: "image_type_refused", params: { found, allowed: ["JPEG", "PNG", "WebP", "HEIC"] } }} />);
  expect((await screen.findByTestId("problem")).textContent).toBe(sentence);
});

test("a track that the protocol does not use is named in words", async () => {
  await renderScreen(<Problem error={{ code: "track_not_in_protocol", params: { track: "peer" } }} />);
  expect((await screen.findByTestId("problem")).textContent).toContain("“Peer validation”");
});
