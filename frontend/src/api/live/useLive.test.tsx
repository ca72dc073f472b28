import { act, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { fakeSources, type FakeSource } from "@/testing/events";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { useLive, useLiveState } from "./useLive";

const sources = fakeSources();

afterEach(() => {
  vi.unstubAllGlobals();
  sources.all.length = 0;
});

function Page({ read }: { read: (n: number | null) => void }) {
  useLive("lobby", 5, read);
  return <p data-testid="state">{useLiveState()}</p>;
}

it("opens the stream that the session names, shows its state and ends with the page", async () => {
  vi.stubGlobal("navigator", Object.create(navigator, { locks: { value: undefined } }));
  vi.stubGlobal("EventSource", function open(address: string): FakeSource {
    return sources.open(address);
  });
  const live = `http://${window.location.hostname}:8001/events/`;
  serve({ "GET /api/v1/session": { body: { person: { id: 1 }, is_owner: false, benchmarks: [], submits_to: [], build: "one", live } } });
  const read = vi.fn();
  const { unmount } = await renderScreen(<Page read={read} />);
  await vi.waitFor(() => { expect(sources.all).toHaveLength(1); });
  expect(sources.last().address).toBe(live);
  expect(screen.getByTestId("state").textContent).toBe("polling");
  act(() => { sources.last().send("hello"); });
  expect(screen.getByTestId("state").textContent).toBe("live");
  act(() => { sources.last().send("look", { topic: "lobby", id: 5, n: 2 }); });
  expect(read.mock.calls).toEqual([[null], [2]]);
  unmount();
  expect(sources.last().isClosed).toBe(true);
});
