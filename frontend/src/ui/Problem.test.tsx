import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { Problem } from "./Problem";

test("a track that the protocol does not use is named in words", async () => {
  await renderScreen(<Problem error={{ code: "track_not_in_protocol", params: { track: "peer" } }} />);
  expect((await screen.findByTestId("problem")).textContent).toContain("“Peer validation”");
});
