import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { CoverPage } from "./CoverPage";

const found = (key: string, what: string, box: number[]) => ({ key, what, box, score: 0.9 });

interface Given {
  failed?: boolean;
  /** What the protocol has detectors look for, and what no detector has looked for yet. */
  searches?: string[];
  pending?: string[];
  own?: boolean;
  tick?: "unticked" | "clear";
  regions?: ReturnType<typeof found>[];
}

function detail(id: number, { failed = false, searches = ["faces"], pending = [], own = false, tick = "unticked", regions = [] }: Given) {
  return {
    image: { id, label: `img-000${id}`, state: "received" },
    redaction_no: 0,
    tick,
    width: 400,
    height: 300,
    view_url: `/v${id}`,
    clean_url: `/c${id}`,
    style: "pixelate",
    keep_originals: false,
    searches,
    pending,
    proposals: searches.filter((target) => !pending.includes(target)).map((target, at) => ({ detector: `${target}-1`, at: "2026-11-25T00:00:00Z", failed, regions: at === 0 ? regions : [] })),
    open: regions.map(({ key }) => key),
    history: [],
    available_actions: own || tick === "clear" ? ["image_cover"] : ["image_cover", "image_clear"],
  };
}

interface Ticks {
  images: { image: number }[];
}

const CURATOR = ["cover_hold", "image_cover", "image_clear"];

function serveAll(given: readonly Given[], { operations = CURATOR, batch = 20, answeredNo = 1 }: { operations?: string[]; batch?: number; answeredNo?: number } = {}) {
  const details = given.map((one, at) => detail(at + 1, one));
  const rows = details.map(({ image, available_actions }) => ({ ...image, number: image.id, tick: "unticked", available_actions }));
  const server: ReturnType<typeof serve> = serve({
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "he.wen", name: "何文", language: "en" },
        is_owner: false,
        build: "",
        benchmarks: [{ slug: "b", title: { "zh-Hans": "B", "zh-Hant": "B", en: "B" }, roles: ["curator"], operations, kinds: [] }],
      },
    },
    "POST /api/v1/benchmarks/b/images/cover/hold": (asked: Asked) => {
      const { after = 0 } = asked.body as { after?: number };
      const ticked = new Set(server.asked.flatMap(({ path, body }) => (path.endsWith("/clear-personal-information") ? (body as Ticks).images.map(({ image }) => image) : [])));
      const images = rows.filter(({ number, id }) => number > after && !ticked.has(id)).slice(0, batch);
      return { body: { images, until: "2026-11-25T00:10:00Z", held_by_others: 0, others_until: null } };
    },
    "POST /api/v1/benchmarks/b/images/cover/hold/release": { status: 204, body: null },
    "GET /api/v1/benchmarks/b/images": { body: { results: rows, next: null, total: rows.length, total_is_capped: false } },
    "POST /api/v1/benchmarks/b/images/clear-personal-information": { body: { results: [{ image_id: 1, image: null, error: null }] } },
    ...Object.fromEntries(
      details.flatMap((one) => [
        [`GET /api/v1/images/${one.image.id}/regions`, { body: one }],
        [`POST /api/v1/images/${one.image.id}/cover`, { body: { ...one, redaction_no: answeredNo, proposals: [], pending: one.searches, open: [] } }],
      ]),
    ),
  });
  const sent = (end: string) => server.asked.filter(({ method, path }) => method === "POST" && path.endsWith(end)).map(({ path, body }) => [path, body as Record<string, unknown>] as const);
  const read = () => server.asked.filter(({ method, path }) => method === "GET" && path.endsWith("/regions")).length;
  const refuse = (id: number) => {
    server.replies[`POST /api/v1/images/${id}/cover`] = { status: 409, body: { code: "stale_redaction", params: {}, detail: "" } };
  };
  return { read, refuse, covered: () => sent("/cover"), ticked: () => sent("/clear-personal-information") };
}

async function open(search = "") {
  await renderScreen(
    <>
      <CoverPage />
      <KeySheets />
    </>,
    { at: `/b/b/pictures/cover${search}`, path: "/b/:slug/pictures/cover" },
  );
  await shows(1);
  return userEvent.setup();
}

const shows = (id: number) => waitFor(() => expect(screen.getByTestId("cover").dataset.image).toBe(String(id)));

beforeEach(() => {
  localStorage.clear();
  Element.prototype.scrollIntoView = vi.fn();
  HTMLImageElement.prototype.decode = () => Promise.resolve();
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
    },
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("checking pictures", () => {
  it("covers what was found, says once that it is final, and marks the picture as checked", async () => {
    const server = serveAll([{ regions: [found("faces-0", "face", [10, 20, 60, 80]), found("faces-1", "face", [200, 20, 60, 80])] }, {}]);
    const user = await open();
    expect(screen.getByTestId("cover-found").textContent).toContain("2 regions found");
    expect(screen.getByTestId<HTMLButtonElement>("cover-save").disabled).toBe(true);
    await user.keyboard("ac");
    await user.click(screen.getByTestId("cover-agree"));
    await shows(2);
    expect(server.covered()).toEqual([]);
    // The next decision sends the one before.
    await user.keyboard("p");
    await waitFor(() => expect(server.ticked()).toHaveLength(2));
    const [[path, body] = ["", {}]] = server.covered();
    expect(path).toBe("/api/v1/images/1/cover");
    expect(body).toMatchObject({ no: 0, regions: [{ key: "faces-0", how: "pixelate", reason: "" }, { key: "faces-1", how: "pixelate" }] });
    expect(server.ticked()[0]?.[1]).toMatchObject({ images: [{ image: 1, no: 1 }] });
    expect(server.covered()).toHaveLength(1);
  });

  it("leaves visible what has a reason to be", async () => {
    const server = serveAll([{ regions: [found("faces-0", "face", [1, 2, 90, 90])] }, {}]);
    const user = await open();
    await user.keyboard("e");
    await user.click(await screen.findByTestId("exempt-fictional"));
    await user.keyboard("c");
    await shows(2);
    await user.keyboard("p");
    await waitFor(() => expect(server.covered()).toHaveLength(1));
    expect(server.covered()[0]?.[1]).toMatchObject({ regions: [{ key: "faces-0", how: "exempt", reason: "fictional" }] });
  });

  it("undoes the last picture while it is not sent", async () => {
    const server = serveAll([{ regions: [found("faces-0", "face", [10, 20, 60, 80])] }, {}]);
    localStorage.setItem("lantern.cover.final", "1");
    const user = await open();
    await user.keyboard("a");
    await user.keyboard("c");
    await shows(2);
    await user.keyboard("z");
    await shows(1);
    expect(server.covered()).toEqual([]);
    // With what was decided: nothing is to be confirmed again.
    expect(screen.getByTestId<HTMLButtonElement>("cover-save").disabled).toBe(false);
    await user.keyboard("c");
    await shows(2);
    await user.keyboard("p");
    await waitFor(() => expect(server.covered()).toHaveLength(1));
    expect(server.covered()[0]?.[1]).toMatchObject({ regions: [{ key: "faces-0", how: "pixelate", origin: "proposed" }] });
  });

  it("sends what was removed as nothing to be covered", async () => {
    const server = serveAll([{ regions: [found("text-0", "plate", [10, 20, 60, 80])] }, {}]);
    const user = await open();
    await user.keyboard("d");
    await user.keyboard("c");
    await shows(2);
    await user.keyboard("p");
    await waitFor(() => expect(server.covered()).toHaveLength(1));
    expect(server.covered()[0]?.[1]).toMatchObject({ regions: [{ key: "text-0", how: "exempt", reason: "not_there" }] });
  });

  it.each([
    [{ pending: ["faces"] }, "Not searched for faces yet. Look yourself."],
    [{ searches: ["faces", "text"], pending: ["text"] }, "Not searched for text yet. Look yourself."],
    [{ searches: ["faces", "text"], pending: ["text"], regions: [found("faces-0", "face", [1, 2, 90, 90])] }, "1 region found to decide on. Not searched for text yet. Look yourself."],
    [{ failed: true }, "The automatic search failed. Look yourself."],
    [{}, "The search for faces found nothing. Look yourself."],
    [{ searches: ["text"] }, "The search for text found nothing. Look yourself."],
    [{ searches: ["faces", "text"] }, "The search for faces and text found nothing. Look yourself."],
    [{ searches: [] }, "Pictures of this benchmark are not searched automatically. Look yourself."],
  ] satisfies [Given, string][])("says what the search did: %j", async (given: Given, sentence: string) => {
    serveAll([given]);
    await open();
    expect(screen.getByTestId("cover-found").textContent).toBe(sentence);
    expect(screen.queryByText(/has no detector for plates/) === null).toBe(given.searches?.length === 0);
  });

  it.each([
    [{ searches: ["faces", "text"], pending: ["text"] }, 2],
    [{ searches: [] }, 1],
    [{}, 1],
  ] satisfies [Given, number][])("looks again until each detector has searched: %j", async (given: Given, reads: number) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const server = serveAll([given]);
    await open();
    await vi.advanceTimersByTimeAsync(3_500);
    vi.useRealTimers();
    expect(server.read()).toBe(reads);
  });

  it("asks before what was decided here is left unsaved", async () => {
    const server = serveAll([{ regions: [found("faces-0", "face", [10, 20, 60, 80])] }, {}]);
    const user = await open();
    await user.keyboard("af");
    expect(screen.getByTestId("cover-unsaved").textContent).toContain("1 region here is not saved");
    expect(screen.getByTestId("cover").dataset.image).toBe("1");
    await user.keyboard("f");
    await shows(2);
    expect(server.covered()).toEqual([]);
  });

  it("goes on behind the last picture of a batch, and says at the end what was passed over", async () => {
    serveAll([{}, {}, {}], { batch: 2 });
    const user = await open();
    await user.keyboard("f");
    await shows(2);
    await user.keyboard("p");
    await shows(3);
    await user.keyboard("f");
    await screen.findByText("2 pictures were passed over");
    await user.click(screen.getByTestId("cover-again"));
    await shows(1);
    await user.keyboard("p");
    await shows(3);
    await user.keyboard("p");
    await screen.findByText("Every picture is checked");
  });

  it("lets contributors cover their own pictures, and others mark them", async () => {
    serveAll([{ own: true, regions: [found("faces-0", "face", [10, 20, 60, 80])] }], { operations: ["image_cover", "image_list"] });
    await open();
    expect(screen.queryByTestId("cover-tick")).toBeNull();
    expect(screen.getByText(/someone else marks it as checked/)).toBeTruthy();
  });
});

describe("leaving, and taking back", () => {
  it("takes the decision on the last picture back as well", async () => {
    const server = serveAll([{ regions: [found("faces-0", "face", [10, 20, 60, 80])] }]);
    localStorage.setItem("lantern.cover.final", "1");
    const user = await open();
    const undo = () => screen.getByTestId<HTMLButtonElement>("cover-undo");
    expect(undo().disabled).toBe(true);
    await user.keyboard("ac");
    await screen.findByTestId("cover-again");
    expect(undo().disabled).toBe(false);
    await user.click(undo());
    await shows(1);
    expect(server.covered()).toEqual([]);
  });

  it("asks before links take one away from what is not saved", async () => {
    serveAll([{ regions: [found("faces-0", "face", [10, 20, 60, 80])] }, {}]);
    const user = await open();
    await user.keyboard("a");
    await user.click(screen.getByRole("link", { name: "All pictures" }));
    await user.click(await screen.findByTestId("leave-stay"));
    await shows(1);
    expect(screen.getByTestId<HTMLButtonElement>("cover-save").disabled).toBe(false);
    await user.click(screen.getByRole("link", { name: "All pictures" }));
    await user.click(await screen.findByTestId("leave-go"));
    await screen.findByTestId("elsewhere");
  });

  it("lets one leave a picture on which nothing was decided", async () => {
    serveAll([{ regions: [found("faces-0", "face", [10, 20, 60, 80])] }, {}]);
    const user = await open();
    await user.click(screen.getByRole("link", { name: "All pictures" }));
    await screen.findByTestId("elsewhere");
  });

  it("tells of a marked picture that covering more removes the mark, and names no next one", async () => {
    const server = serveAll([{ tick: "clear" }]);
    const user = await open("?image=1");
    expect(screen.getByText(/Covering more removes the mark/)).toBeTruthy();
    expect(screen.getByTestId("cover-save").textContent).toBe("CoverC");
    await user.keyboard("n");
    await user.click(screen.getByTestId("do-regions.undo"));
    expect(screen.queryByTestId("region")).toBeNull();
    await user.click(screen.getByTestId("do-regions.redo"));
    localStorage.setItem("lantern.cover.final", "1");
    await user.keyboard("c");
    await screen.findByText("Saved.");
    expect(server.covered()).toHaveLength(1);
  });

  it("does not say that a picture is saved when it is not", async () => {
    const server = serveAll([{ tick: "clear" }]);
    const user = await open("?image=1");
    localStorage.setItem("lantern.cover.final", "1");
    server.refuse(1);
    await user.keyboard("nc");
    await screen.findByText(/img-0001 was not saved/);
    expect(screen.queryByText("Saved.")).toBeNull();
  });

  it("chooses no reason by Enter alone", async () => {
    serveAll([{ regions: [found("faces-0", "face", [1, 2, 90, 90])] }, {}]);
    const user = await open();
    await user.keyboard("e{Enter}");
    expect(screen.queryByTestId("exempt-dialog")).toBeNull();
    expect(screen.getByTestId<HTMLButtonElement>("cover-save").disabled).toBe(true);
  });

  it.each([
    ["a", 1],
    ["d", 0],
  ])("marks the version that the person saw, also if another person covered more before a repeat: %s", async (decision, no) => {
    const server = serveAll([{ regions: [found("faces-0", "face", [10, 20, 60, 80])] }, {}], { answeredNo: 2 });
    localStorage.setItem("lantern.cover.final", "1");
    const user = await open();
    await user.keyboard(decision);
    await user.keyboard("c");
    await shows(2);
    await user.keyboard("p");
    await waitFor(() => expect(server.ticked()).toHaveLength(2));
    expect(server.ticked()[0]?.[1]).toMatchObject({ images: [{ image: 1, no }] });
  });

  it("asks before undoing leaves what is not saved here", async () => {
    const region = [found("faces-0", "face", [10, 20, 60, 80])];
    serveAll([{ regions: region }, { regions: region }]);
    localStorage.setItem("lantern.cover.final", "1");
    const user = await open();
    await user.keyboard("a");
    await user.keyboard("c");
    await shows(2);
    await user.keyboard("a");
    await user.click(screen.getByTestId("cover-undo"));
    expect(screen.getByTestId("cover-unsaved").textContent).toContain("1 region here is not saved");
    expect(screen.getByTestId("cover").dataset.image).toBe("2");
    await user.keyboard("z");
    await shows(1);
  });

  it("keeps the focus with the pictures, also from one batch to the next", async () => {
    serveAll([{}, {}, {}], { batch: 2 });
    const user = await open();
    expect(document.activeElement).toBe(document.body);
    for (const next of [2, 3]) {
      await user.click(screen.getByTestId("cover-next"));
      await shows(next);
      expect(document.activeElement).toBe(screen.getByRole("group", { name: `img-000${next}` }));
    }
  });
});

describe("the place in the window", () => {
  it("brings the next picture into the window where its upper edge is above, as after the buttons of a telephone", async () => {
    serveAll([{}, {}]);
    const user = await open();
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled;
    const edge = vi.spyOn(Element.prototype, "getBoundingClientRect");
    edge.mockReturnValue(new DOMRect(0, 100, 300, 700));
    await user.keyboard("p");
    await shows(2);
    expect(scrolled).not.toHaveBeenCalled();
    edge.mockReturnValue(new DOMRect(0, -400, 300, 700));
    await user.keyboard("z");
    await shows(1);
    expect(scrolled.mock.calls).toEqual([[{ block: "start" }]]);
    edge.mockRestore();
  });

  it("keeps the focus at the picture that the preview replaces", async () => {
    serveAll([{ regions: [found("faces-0", "face", [10, 20, 60, 80])] }]);
    const user = await open();
    act(() => screen.getByTestId("region").focus());
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Face: Found, not decided, 1 of 1, at 10, 20, 60 by 80 pixels");
    await user.keyboard("v");
    expect(document.activeElement).toBe(screen.getByTestId("cover"));
  });
});
