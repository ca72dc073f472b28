import { act, cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Image } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { InspectPage } from "./InspectPage";

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const tea = { slug: "tea", name: name("Tea") };

function picture(id: number, part: Partial<Image> = {}): Image {
  return {
    id,
    number: id,
    label: `img-000${id}`,
    state: "received",
    width: 400,
    height: 300,
    sha256: "",
    thumb_url: "/t",
    view_url: "/v",
    clean_url: "/c",
    category: tea,
    collected_for: tea,
    axes: {},
    subset: "",
    objects: null,
    source: { kind: "own", site: "", url: "", author: "", uses: null, waived: false, donor_consent: false },
    licence: "CC0-1.0",
    contributor: { id: 9, name: "王芳" },
    personal_information_clear: false,
    redaction_no: 0,
    tick: "unticked",
    flags: [],
    near: [],
    verdict_no: 0,
    created_at: "2026-11-20T00:00:00Z",
    available_actions: ["image_judge", "image_clear"],
    ...part,
  };
}

const content = {
  images: {
    refusal_reasons: [
      { code: "not_a_photo", name: name("Not a photograph") },
      { code: "watermark", name: name("Watermark") },
    ],
    subsets: [
      { code: "A", name: name("Subset A"), rule: name("Two of one category"), objects: { all: { minimum: 3, maximum: null }, listed: null, main: { minimum: 2, maximum: null } } },
      { code: "B", name: name("Subset B"), rule: name("Three to five"), objects: null },
    ],
  },
};

interface Sent {
  verdicts: { image: number; no: number; outcome: Image["state"]; reasons: string[]; subset?: string; category?: string; objects?: Image["objects"]; client_key: string }[];
}

/** The server with three pictures; judging answers as the real one does, but number 3 was judged by someone else. */
function serveThree(images: Image[] = [picture(1), picture(2), picture(3)]) {
  const server = serve({
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "he.wen", name: "何文", language: "en" },
        is_owner: false,
        build: "",
        benchmarks: [{ slug: "b", title: name("B"), roles: ["curator"], operations: ["image_list", "image_judge", "image_clear", "image_hold"], kinds: [] }],
      },
    },
    "GET /api/v1/benchmarks/b": { body: { slug: "b", categories: [], protocol: { version: 1, name: "p", planned: [], content } } },
    "GET /api/v1/benchmarks/b/images/counts": {
      body: {
        received: 3,
        accepted: 4,
        refused: 0,
        withdrawn: 0,
        clear: 0,
        to_judge: 3,
        by_category: [{ slug: "tea", accepted: 4, received: 3, minimum: 5, target: 9, subsets: [{ subset: "A", accepted: 2, minimum: 3, target: 6 }] }],
        by_subset: [],
      },
    },
    "POST /api/v1/benchmarks/b/images/hold": { body: { images, until: "2026-11-21T09:10:00Z", held_by_others: 7, others_until: "2026-11-21T09:12:00Z" } },
    "POST /api/v1/benchmarks/b/images/hold/renew": { body: { until: "2026-11-21T09:20:00Z" } },
    "POST /api/v1/benchmarks/b/images/hold/release": { status: 204 },
    "POST /api/v1/benchmarks/b/images/judge": ({ body }: Asked) => ({
      body: {
        results: (body as Sent).verdicts.map((verdict) =>
          verdict.image === 3
            ? {
                image_id: 3,
                image: null,
                error: { code: "judged_meanwhile", params: { by: "李雷", outcome: "refused" }, detail: "" },
              }
            : { image_id: verdict.image, image: picture(verdict.image, { state: verdict.outcome, verdict_no: 1 }), error: null },
        ),
      },
    }),
    "GET /api/v1/images/3": { body: picture(3, { state: "refused", verdict_no: 1 }) },
    "POST /api/v1/benchmarks/b/images/clear-personal-information": ({ body }: Asked) => ({
      body: {
        results: (body as { images: { image: number }[] }).images.map(({ image }) => ({
          image_id: image,
          image: picture(image, { personal_information_clear: true }),
          error: null,
        })),
      },
    }),
  });
  const asked = (path: string) => server.asked.filter((request) => request.method === "POST" && request.path.endsWith(path)).map((request) => request.body);
  const verdicts = () => (asked("/images/judge") as Sent[]).flatMap((body) => body.verdicts);
  return { ...server, asked: asked, verdicts };
}

async function open() {
  const screenAt = await renderScreen(
    <>
      <InspectPage />
      <KeySheets />
    </>,
    { at: "/b/b/pictures/inspect?size=50", path: "/b/:slug/pictures/inspect" },
  );
  await screen.findByTestId("reason-bar");
  return { user: userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) }), ...screenAt };
}

const states = () => screen.getAllByTestId("picture").map((card) => card.dataset.state);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(async () => {
  // Leaving gives the batch back, which still wants the server's stand-in.
  cleanup();
  await vi.advanceTimersByTimeAsync(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("InspectPage", () => {
  it("takes a batch, says until when and how many are with others, keeps it alive and gives it back", async () => {
    const { asked } = serveThree();
    const { unmount } = await open();
    expect(asked("/images/hold")).toEqual([{ size: 50 }]);
    expect(screen.getByTestId("held-by-others").textContent).toContain("7");
    await pass(60_000);
    expect(asked("/hold/renew")).toHaveLength(1);
    unmount();
    await pass(0);
    expect(asked("/hold/release")).toHaveLength(1);
  });

  it("accepts with A and continues to the next undecided; all goes in one request after ten seconds", async () => {
    const { verdicts, asked } = serveThree();
    const { user } = await open();
    await user.keyboard("a");
    await user.keyboard("2");
    expect(states()).toEqual(["accepted", "refused", "received"]);
    expect(screen.getByTestId("decided").textContent).toContain("2 of 3");
    expect(screen.getByTestId("quota-of").textContent).toBe("Tea 5 / 9");
    expect(asked("/images/judge")).toEqual([]);
    await pass(10_500);
    expect(asked("/images/judge")).toHaveLength(1);
    expect(verdicts().map(({ image, no, outcome, reasons }) => ({ image, no, outcome, reasons }))).toEqual([
      { image: 1, no: 0, outcome: "accepted", reasons: [] },
      { image: 2, no: 0, outcome: "refused", reasons: ["watermark"] },
    ]);
  });

  it("takes a whole range back with Z, and the cursor with it", async () => {
    const { verdicts } = serveThree();
    const { user } = await open();
    await user.keyboard("{Shift>}{ArrowRight}{/Shift}1");
    expect(states()).toEqual(["refused", "refused", "received"]);
    await user.keyboard("z");
    expect(states()).toEqual(["received", "received", "received"]);
    expect(screen.getAllByTestId("picture")[0]?.getAttribute("aria-selected")).toBe("true");
    await pass(11_000);
    expect(verdicts()).toEqual([]);
  });

  it("says at the picture that someone else was first, and keeps the others", async () => {
    serveThree();
    const { user } = await open();
    await user.keyboard("{Control>}a{/Control}a");
    await pass(10_500);
    expect(states()).toEqual(["accepted", "accepted", "refused"]);
    expect(screen.getByTestId("conflict").textContent).not.toBe("");
    expect(screen.getAllByTestId("picture").map((card) => card.dataset.conflict)).toEqual([undefined, undefined, "judged_meanwhile"]);
  });

  it("accepts into a subset with its letter, three counts and Enter", async () => {
    const { verdicts } = serveThree();
    const { user } = await open();
    await user.keyboard("{Shift>}A{/Shift}");
    await user.keyboard("7 4 1{Enter}");
    expect(screen.getByTestId("count-entry").textContent).toContain("at least 2");
    expect(states()[0]).toBe("received");
    await user.keyboard("{Backspace}3{Enter}");
    expect(states()).toEqual(["accepted", "received", "received"]);
    await pass(10_500);
    expect(verdicts()[0]).toMatchObject({ image: 1, outcome: "accepted", subset: "A", category: "tea", objects: { all: 7, listed: 4, main: 3 } });
  });

  it("shows the targets of a category's subsets", async () => {
    serveThree();
    await open();
    const part = await screen.findByTestId("quota-tea-A");
    expect([part.textContent, part.getAttribute("href")]).toEqual(["A 2 / 6", "/b/b/pictures?category=tea&subset=A"]);
  });

  it("marks with P without going on", async () => {
    const { asked } = serveThree();
    const { user } = await open();
    await user.keyboard("p");
    expect(screen.getAllByTestId("picture")[0]?.getAttribute("aria-selected")).toBe("true");
    await pass(10_500);
    const marked = (asked("/clear-personal-information") as { images: { image: number; no: number }[] }[])[0]?.images;
    expect(marked?.map(({ image, no }) => [image, no])).toEqual([[1, 0]]);
    expect(asked("/images/judge")).toEqual([]);
  });

  it("skips one's own upload and says so", async () => {
    const { verdicts } = serveThree([picture(1, { available_actions: [] })]);
    const { user } = await open();
    await user.keyboard("a");
    await pass(10_500);
    expect([verdicts(), states()]).toEqual([[], ["received"]]);
  });
});

describe("a batch of pictures", () => {
  it("sends what is held before it is left", async () => {
    const { verdicts, asked } = serveThree();
    const { user, unmount } = await open();
    await user.keyboard("a");
    unmount();
    await pass(0);
    expect(verdicts()).toHaveLength(1);
    expect(asked("/hold/release")).toHaveLength(1);
  });

  it("selects a range by a click with Shift", async () => {
    serveThree();
    const { user } = await open();
    const [first, , third] = screen.getAllByTestId("picture");
    if (!first || !third) throw new Error("no cards");
    await user.click(first);
    await user.keyboard("{Shift>}");
    await user.click(third);
    await user.keyboard("{/Shift}");
    expect(screen.getAllByTestId("picture").map((card) => card.getAttribute("aria-selected"))).toEqual(["true", "true", "true"]);
  });

  it("asks for the next batch when everything is decided", async () => {
    const { asked } = serveThree([picture(1)]);
    const { user } = await open();
    expect(screen.getByTestId<HTMLButtonElement>("next-batch").disabled).toBe(true);
    await user.keyboard("a{Control>}{Enter}{/Control}");
    await pass(100);
    expect(asked("/images/judge")).toHaveLength(1);
    expect(asked("/images/hold")).toHaveLength(2);
  });

  it("says why nothing is there when all are with others", async () => {
    serveThree([]);
    await renderScreen(<InspectPage />, { at: "/b/b/pictures/inspect", path: "/b/:slug/pictures/inspect" });
    expect((await screen.findByTestId("empty")).textContent).toContain("7");
  });

  it("shows a picture large with Space and closes it with Escape", async () => {
    vi.stubGlobal(
      "ResizeObserver",
      class {
        observe = vi.fn();
        disconnect = vi.fn();
      },
    );
    serveThree();
    const { user } = await open();
    await user.keyboard(" ");
    expect(screen.getByTestId("lightbox").getAttribute("aria-label")).toBe("img-0001");
    await user.keyboard("{ArrowRight}");
    expect(screen.getByTestId("lightbox").getAttribute("aria-label")).toBe("img-0002");
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("lightbox")).toBeNull();
  });
});
