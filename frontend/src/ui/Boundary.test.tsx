import { render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Boundary } from "./Boundary";
import { isChunkLoadError } from "./chunkErrors";

afterEach(() => vi.restoreAllMocks());

function Broken(): never {
  throw new TypeError("Failed to fetch dynamically imported module: http://x/assets/SkipPanel-Zabc.js");
}

it("puts a sentence in place of the part that failed and leaves the rest as it is", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  render(
    <>
      <textarea defaultValue="写到一半" />
      <Boundary failed={(error) => <p>{isChunkLoadError(error) ? "not fetched" : "fault"}</p>}>
        <Broken />
      </Boundary>
    </>,
  );
  expect(screen.getByText("not fetched")).toBeTruthy();
  expect(screen.getByDisplayValue("写到一半")).toBeTruthy();
});

it.each([
  ["error loading dynamically imported module: http://x/a.js", true],
  ["Importing a module script failed.", true],
  ["Unable to preload CSS for /assets/a.css", true],
  ["x is not a function", false],
])("knows %j", (message, is) => {
  expect(isChunkLoadError(new Error(message))).toBe(is);
});
