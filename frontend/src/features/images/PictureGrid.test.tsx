import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Image } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { PictureGrid } from "./PictureGrid";

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });

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
    category: { slug: "tea", name: name("tea") },
    subset: "",
    source: { kind: "own", url: "", author: "" },
    licence: "CC0-1.0",
    contributor: { id: 9, name: "王芳" },
    personal_information_clear: false,
    flags: [],
    near: [],
    created_at: "2026-11-20T00:00:00Z",
    available_actions: ["image_judge", "image_clear"],
    ...part,
  };
}

const reasons = [
  { code: "not_a_photo", name: name("Not a photograph") },
  { code: "watermark", name: name("Watermark") },
];

/** The server with three pictures; judging answers as the real one does. */
function serveThree(third: Partial<Image> = {}) {
  const rows = [picture(1), picture(2), picture(3, third)];
  const judge = (id: number) => ({ body }: Asked) => {
    const { outcome } = body as { outcome: Image["state"] };
    return { body: { ...picture(id), state: outcome, available_actions: ["image_clear"] } };
  };
  const server = serve({
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "he.wen", name: "何文", language: "en" },
        is_owner: false,
        build: "",
        benchmarks: [{ slug: "b", title: name("B"), roles: ["curator"], operations: ["image_list", "image_judge", "image_clear"], kinds: [] }],
      },
    },
    "GET /api/v1/benchmarks/b": {
      body: { slug: "b", categories: [], protocol: { version: 1, name: "p", planned: [], content: { images: { refusal_reasons: reasons } } } },
    },
    "GET /api/v1/benchmarks/b/images": {
      body: { results: rows, next: null, total: 3, total_is_capped: false, counts: { received: 3, accepted: 0, refused: 0, personal_information_clear: 0 } },
    },
    "POST /api/v1/images/1/judge": judge(1),
    "POST /api/v1/images/2/judge": judge(2),
    "POST /api/v1/images/3/judge": judge(3),
    "POST /api/v1/images/1/clear-personal-information": { body: picture(1, { personal_information_clear: true, available_actions: ["image_judge"] }) },
  });
  const decisions = () => server.asked.filter((request) => request.method === "POST").map((request) => [request.path, request.body] as const);
  return { ...server, decisions };
}

async function open() {
  await renderScreen(
    <>
      <PictureGrid />
      <KeySheets />
    </>,
    { at: "/b/b/pictures?state=received", path: "/b/:slug/pictures" },
  );
  await screen.findByTestId("reason-bar");
  return userEvent.setup();
}

const states = () => screen.getAllByTestId("picture").map((card) => card.dataset.state);

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(() => vi.unstubAllGlobals());

describe("PictureGrid", () => {
  it("asks for what the address filters by", async () => {
    const { asked } = serveThree();
    await open();
    const list = asked.find((request) => request.path.endsWith("/images"));
    expect(list?.query.get("state")).toBe("received");
  });

  it("accepts with A, goes on to the next, and leaves the decided picture where it is", async () => {
    const { decisions } = serveThree();
    const user = await open();
    await user.keyboard("a");
    await vi.waitFor(() => expect(states()).toEqual(["accepted", "received", "received"]));
    await user.keyboard("a");
    await vi.waitFor(() => expect(states()).toEqual(["accepted", "accepted", "received"]));
    expect(decisions().map(([path, body]) => [path, (body as { outcome: string }).outcome])).toEqual([
      ["/api/v1/images/1/judge", "accepted"],
      ["/api/v1/images/2/judge", "accepted"],
    ]);
    expect(screen.getByTestId("filter-accepted").textContent).toContain("2");
  });

  it("refuses a range for the reason of the number", async () => {
    const { decisions } = serveThree();
    const user = await open();
    await user.keyboard("{Shift>}{ArrowRight}{/Shift}2");
    await vi.waitFor(() => expect(states()).toEqual(["refused", "refused", "received"]));
    expect(decisions().map(([, body]) => (body as { reasons: string[] }).reasons)).toEqual([["watermark"], ["watermark"]]);
    const keys = decisions().map(([, body]) => (body as { client_key: string }).client_key);
    expect(new Set(keys).size).toBe(2);
  });

  it("marks with P without going on, and counts it", async () => {
    serveThree();
    const user = await open();
    await user.keyboard("p");
    await screen.findByText("1 marked free of personal information");
    expect(screen.getAllByTestId("picture")[0]?.getAttribute("aria-selected")).toBe("true");
  });

  it("skips one's own upload and says so", async () => {
    const { decisions } = serveThree({ available_actions: [] });
    const user = await open();
    await user.keyboard("{ArrowRight}{ArrowRight}a");
    expect(decisions()).toEqual([]);
    expect(states()).toEqual(["received", "received", "received"]);
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
    const user = await open();
    await user.keyboard(" ");
    expect(screen.getByTestId("lightbox").getAttribute("aria-label")).toBe("img-0001");
    await user.keyboard("{ArrowRight}");
    expect(screen.getByTestId("lightbox").getAttribute("aria-label")).toBe("img-0002");
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("lightbox")).toBeNull();
  });
});
