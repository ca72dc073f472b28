import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Link, useLocation } from "react-router";
import { signals } from "@/api/signals";
import { startTexts } from "@/i18n/setup";
import { toasts } from "@/ui/toasts";
import { DeskRouter } from "./DeskRouter";

function Here() {
  const { pathname, search } = useLocation();
  return (
    <>
      <p data-testid="here">{pathname + search}</p>
      <Link to="/b/demo/work/10?item=7">another package</Link>
      <Link to="/b/demo/packages/9">another page</Link>
    </>
  );
}

const assign = vi.fn();

beforeEach(async () => {
  await startTexts("en");
  window.history.replaceState(null, "", "/b/demo/work/9");
  vi.spyOn(window.location, "assign").mockImplementation(assign);
  render(
    <DeskRouter>
      <Here />
    </DeskRouter>,
  );
});
afterEach(() => {
  cleanup();
  signals.reached(true);
  assign.mockClear();
  vi.restoreAllMocks();
});

async function follow(name: string) {
  await act(async () => {
    screen.getByText(name).click();
    await Promise.resolve();
  });
}

describe("the desk's addresses", () => {
  it("stay on this page from one package to another, and back", async () => {
    await follow("another package");
    expect(screen.getByTestId("here").textContent).toBe("/b/demo/work/10?item=7");
    expect(window.location.pathname).toBe("/b/demo/work/10");
    expect(assign).not.toHaveBeenCalled();
  });

  it("other pages are loaded whole, and what was said goes along", async () => {
    toasts.show("Package taken");
    await follow("another page");
    await vi.waitFor(() => expect(assign).toHaveBeenCalledOnce());
    expect(String(assign.mock.calls[0]?.[0])).toMatch(/\/b\/demo\/packages\/9$/);
    expect(screen.getByTestId("here").textContent).toBe("/b/demo/work/9");
    for (const { id } of toasts.snapshot()) toasts.dismiss(id);
    toasts.arrive();
    expect(toasts.snapshot().map(({ text }) => text)).toEqual(["Package taken"]);
    toasts.arrive();
    expect(toasts.snapshot()).toHaveLength(1);
  });

  it("are not left without a connection", async () => {
    signals.reached(false);
    await follow("another page");
    expect(assign).not.toHaveBeenCalled();
    expect(toasts.snapshot().at(-1)?.text).toContain("You are offline");
  });
});
