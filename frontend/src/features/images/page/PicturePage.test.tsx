import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ImageDetail } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { PicturePage } from "./PicturePage";

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const li = { id: 2, name: "李雷" };

function detail(part: Partial<ImageDetail> = {}): ImageDetail {
  return {
    id: 1,
    number: 1,
    label: "img-0001",
    state: "accepted",
    width: 400,
    height: 300,
    sha256: "abc",
    thumb_url: "/t",
    view_url: "/v",
    clean_url: "/c",
    category: { slug: "tea", name: name("Tea") },
    collected_for: { slug: "cup", name: name("Cup") },
    axes: {},
    subset: "A",
    objects: { all: 7, listed: 4, main: 3, categories: null },
    source: { kind: "donated", site: "", url: "", author: "Aunt", uses: { research: true, commercial: false }, waived: false, donor_consent: true },
    licence: "CC0-1.0",
    contributor: { id: 9, name: "王芳" },
    personal_information_clear: true,
    redaction_no: 0,
    tick: "clear",
    flags: [],
    near: [],
    verdict_no: 1,
    created_at: "2026-11-20T00:00:00Z",
    available_actions: ["image_take_down"],
    takedowns: [],
    original_kept: true,
    verdicts: [{ id: 1, judge: li, outcome: "accepted", reasons: [], details: {}, created_at: "2026-11-20T00:00:00Z" }],
    renditions: [],
    ...part,
  };
}

const subsets = [
  { code: "A", name: name("Subset A"), rule: name("Two of one category"), objects: { main: { minimum: 2 } } },
  { code: "B", name: name("Subset B"), rule: name("Several categories"), objects: { categories: { minimum: 3, maximum: 5 } } },
];

function serveOne(image: ImageDetail) {
  let now = image;
  const server = serve({
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "he.wen", name: "何文", language: "en" },
        is_owner: false,
        build: "",
        benchmarks: [{ slug: "b", title: name("B"), roles: ["admin"], operations: ["image_show", "image_items", "image_releases"], kinds: [] }],
      },
    },
    "GET /api/v1/benchmarks/b": {
      body: {
        slug: "b",
        categories: [],
        axes: [{ code: "grade", name: name("Grade"), values: ["middle", "high"].map((slug) => ({ slug, name: name(`School ${slug}`) })) }],
        protocol: { version: 1, name: "p", planned: [], content: { images: { subsets, takedown_reasons: [{ code: "rights", name: name("Copyright") }], licences: ["CC0-1.0", "CC-BY-4.0"].map((code) => ({ code, name: name(`Licence ${code}`) })) } } },
      },
    },
    "GET /api/v1/images/1": () => ({ body: now }),
    "GET /api/v1/images/1/items": { body: [{ id: 5, label: "cap-000005", kind: "captions", state: "accepted", package: { id: 3, label: "cap-pkg-0003" } }] },
    "GET /api/v1/images/1/releases": { body: [{ id: 4, label: "captions-v1", state: "frozen", split: "train", frozen_at: null }] },
    "POST /api/v1/images/1/correct": () => {
      now = detail({ licence: "CC-BY-4.0", available_actions: ["image_correct"] });
      return { body: now };
    },
    "POST /api/v1/images/1/take-down": () => {
      now = detail({
        state: "withdrawn",
        available_actions: ["image_restore"],
        takedowns: [{ restored: false, by: li, reason: "rights", comment: "asked", at: "2026-11-21T00:00:00Z" }],
      });
      return { body: now };
    },
  });
  return { sent: () => server.asked.filter((one) => one.method === "POST").map((one) => [one.path, one.body]) };
}

async function open() {
  await renderScreen(
    <>
      <PicturePage />
      <KeySheets />
    </>,
    { at: "/b/b/pictures/1", path: "/b/:slug/pictures/:id" },
  );
  await screen.findByTestId("facts");
  return userEvent.setup();
}

const scrollIntoView = vi.fn();

beforeEach(() => {
  scrollIntoView.mockClear();
  Element.prototype.scrollIntoView = scrollIntoView;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("PicturePage", () => {
  it("says where the picture comes from, what it counts as and where it stands", async () => {
    serveOne(detail());
    await open();
    const facts = screen.getByTestId("facts").textContent;
    for (const part of ["From family or friends", "Aunt", "agreed to contribute it", "research", "Cup", "7 in total, 4 of listed categories, 3 of the main category"]) expect(facts).toContain(part);
    expect((await screen.findByTestId("items")).textContent).toContain("cap-000005");
    expect((await screen.findByTestId("releases")).textContent).toContain("captions-v1");
  });

  it("says of a file that it is of a covered version", async () => {
    const file = (id: number, version: number) => ({ id, role: "clean", version, url: "/c", width: 4, height: 3, bytes: 9, sha256: "" });
    serveOne(detail({ renditions: [file(1, 1), file(2, 2)] as never }));
    await open();
    const rows = screen.getAllByRole("row").map((row) => row.textContent);
    expect(rows.filter((text) => text.startsWith("full size")).map((text) => text.split("4 ×")[0])).toEqual(["full size", "full size (version 2, covered)"]);
  });

  it("corrects a wrong licence, and sends only what changed", async () => {
    const { sent } = serveOne(detail({ available_actions: ["image_correct"] }));
    const user = await open();
    await user.click(screen.getByTestId("correct"));
    const send = screen.getByTestId<HTMLButtonElement>("correct-send");
    expect(send.disabled).toBe(true);
    await user.selectOptions(screen.getByTestId("correct-licence"), "CC-BY-4.0");
    await user.click(send);
    await screen.findByTestId("correct");
    expect(sent()).toMatchObject([["/api/v1/images/1/correct", { category: "", licence: "CC-BY-4.0", subset: "", objects: null }]]);
    expect(screen.getByTestId("facts").textContent).toContain("Licence CC-BY-4.0");
  });

  it("puts a picture into another subset with the counts that it requires", async () => {
    const { sent } = serveOne(detail({ subset: "A", available_actions: ["image_correct"] }));
    const user = await open();
    await user.click(screen.getByTestId("correct"));
    expect(screen.queryByTestId("count-categories")).toBeNull();
    await user.selectOptions(screen.getByTestId("correct-subset"), "B");
    const send = screen.getByTestId<HTMLButtonElement>("correct-send");
    expect([send.disabled, screen.getByRole("alert").textContent]).toEqual([true, "Different listed categories: enter a number."]);
    await user.type(screen.getByTestId("count-categories"), "2");
    expect(screen.getByRole("alert").textContent).toBe("Different listed categories: the protocol requires 3 to 5.");
    await user.clear(screen.getByTestId("count-categories"));
    await user.type(screen.getByTestId("count-categories"), "4");
    await user.click(send);
    await screen.findByTestId("correct");
    const objects = { all: 7, listed: 4, categories: 4, main: 3 };
    expect(sent()).toMatchObject([["/api/v1/images/1/correct", { category: "", licence: "", subset: "B", objects }]]);
  });

  it("shows a value of a further dimension, and corrects it alone", async () => {
    const { sent } = serveOne(detail({ axes: { grade: "middle" }, available_actions: ["image_correct"] }));
    const user = await open();
    expect(screen.getByTestId("facts").textContent).toContain("GradeSchool middle");
    await user.click(screen.getByTestId("correct"));
    await user.selectOptions(screen.getByTestId("correct-axis-grade"), "high");
    await user.click(screen.getByTestId("correct-send"));
    await screen.findByTestId("correct");
    expect(sent()).toMatchObject([["/api/v1/images/1/correct", { category: "", licence: "", axes: { grade: "high" } }]]);
  });

  it("withdraws only with a reason and its label typed", async () => {
    const { sent } = serveOne(detail());
    const user = await open();
    await screen.findByTestId("releases");
    await user.click(screen.getByTestId("withdraw-picture"));
    const send = screen.getByTestId<HTMLButtonElement>("withdraw-picture-send");
    expect(screen.getByTestId("withdraw-picture-form").textContent).toContain("It is in 1 release");
    await user.type(screen.getByTestId("withdraw-picture-confirm"), "img-0002");
    await user.selectOptions(screen.getByTestId("withdraw-picture-reason"), "rights");
    expect(send.disabled).toBe(true);
    await user.clear(screen.getByTestId("withdraw-picture-confirm"));
    await user.type(screen.getByTestId("withdraw-picture-confirm"), "img-0001");
    await user.click(send);
    await screen.findByTestId("withdrawn");
    expect(sent()).toEqual([["/api/v1/images/1/take-down", { reason: "rights", comment: "", client_key: expect.any(String) as string }]]);
    expect(screen.getByTestId("restore")).toBeTruthy();
  });

  it("shows the opened withdrawal form and starts at its first field", async () => {
    serveOne(detail());
    const user = await open();
    await user.click(await screen.findByTestId("withdraw-picture"));
    expect(scrollIntoView.mock.contexts).toEqual([screen.getByTestId("withdraw-picture-form")]);
    expect(document.activeElement).toBe(screen.getByTestId("withdraw-picture-reason"));
  });

  it("offers no withdrawal to those who may not", async () => {
    serveOne(detail({ available_actions: [] }));
    await open();
    expect(screen.queryByTestId("withdraw-picture")).toBeNull();
  });
});
