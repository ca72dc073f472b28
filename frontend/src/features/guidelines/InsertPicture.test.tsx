import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useRef, useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { guidelinePictures } from "@/api/guidelinePictures";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { Markdown } from "@/ui/markdown";
import { InsertPicture, labelIn } from "./InsertPicture";

function Editor() {
  const area = useRef<HTMLTextAreaElement>(null);
  const [source, setSource] = useState("Good: . Bad: none");
  return (
    <>
      <textarea ref={area} value={source} onChange={(event) => setSource(event.target.value)} data-testid="source" />
      <InsertPicture slug="x" area={area} source={source} onSource={setSource} />
      <Markdown text={source} lang="en" pictures={guidelinePictures("x", "captions")} />
    </>
  );
}

afterEach(() => vi.unstubAllGlobals());

it("inserts a picture at the cursor, which the preview shows", async () => {
  serve({ "GET /api/v1/session": { body: { person: { id: 1, username: "me", name: "Me", language: "en" }, is_owner: false, benchmarks: [], build: "one" } } });
  await renderScreen(<Editor />);
  const user = userEvent.setup();
  const source = screen.getByTestId<HTMLTextAreaElement>("source");
  source.setSelectionRange(6, 6);
  await user.type(screen.getByTestId("picture-label"), "42");
  await user.type(screen.getByTestId("picture-words"), "two ]lanterns{Enter}");
  expect(source.value).toBe("Good: ![two  lanterns](img-0042). Bad: none");
  const picture = await screen.findByRole("img");
  expect([picture.getAttribute("src"), picture.getAttribute("alt")]).toEqual(["/api/v1/benchmarks/x/guidelines/captions/pictures/img-0042", "two  lanterns"]);
  expect(screen.getByTestId<HTMLButtonElement>("picture-insert").disabled).toBe(true);
});

it("reads labels as people type them", () => {
  expect(["img-0042", "IMG-42", " 12345 ", "img-", "0", "cap-0042", ""].map(labelIn)).toEqual(["img-0042", "img-0042", "img-12345", null, null, null, null]);
});

it("loads no picture from elsewhere", () => {
  expect(["https://example.org/a.png", "img-42", "../img-0042", "img-0042"].map(guidelinePictures("x", "vqa"))).toEqual([null, null, null, "/api/v1/benchmarks/x/guidelines/vqa/pictures/img-0042"]);
});
