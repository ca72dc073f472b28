import { act, cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useSession } from "@/api/session";
import type { UploadDetails, UploadRow } from "@/api/types";
import type { FileToSend } from "@/api/upload";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { IntakePage } from "./IntakePage";
import { stopIntakes } from "./intakeOf";

const sent = vi.hoisted(() => [] as FileToSend[]);
vi.mock("@/api/upload", () => ({
  sendFile: (sending: FileToSend) => {
    sent.push(sending);
    const id = `u-${sending.file.name}`;
    sending.onId(id);
    return Promise.resolve(id);
  },
}));

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const GRADE = { code: "grade", name: name("Grade"), values: [{ slug: "high", name: name("High school") }] };
const content = {
  consent: { donors: { uses: "none" } },
  images: { sources: ["own", "external"], formats: ["JPEG"], licences: [{ code: "CC0-1.0", name: name("CC0") }], bytes: { minimum: 1, maximum: 5_000_000 } },
};

function row(id: string, part: Partial<UploadRow> = {}): UploadRow {
  return {
    id,
    filename: id.replace("u-", ""),
    bytes: 1,
    received: 1,
    kind: "picture",
    parent: null,
    state: "ready",
    checks: [
      { code: "type", state: "passed", params: {} },
      { code: "near_duplicate", state: "flagged", params: {} },
    ],
    job: null,
    error: null,
    details: {},
    missing: ["source", "licence"],
    width: 10,
    height: 10,
    thumb_url: "/t",
    near: [],
    image: null,
    expires_at: "2026-12-01T00:00:00Z",
    ...part,
  };
}

let benchmark = 0;

/** Each test has a benchmark of its own, for intakes live as long as the tab. */
function desk(rows: UploadRow[] = [], worker = { worker_alive: true, waiting: 0 }, addresses: boolean | null = null) {
  const slug = `b${++benchmark}`;
  const held = new Map(rows.map((one) => [one.id, one]));
  const page = (results: UploadRow[]) => ({ results, next: null, total: null, total_is_capped: false, ...worker });
  const server = serve({
    "GET /api/v1/session": {
      body: {
        person: { id: 1, username: "li.lei", name: "李雷", language: "en" },
        is_owner: false,
        build: "",
        benchmarks: [{ slug, title: name("B"), roles: ["contributor"], operations: addresses === null ? ["upload_create"] : ["upload_create", "url_list_create"], kinds: [] }],
      },
    },
    [`GET /api/v1/benchmarks/${slug}`]: { body: { slug, categories: [], axes: [GRADE], protocol: { version: 1, name: "p", planned: [], content } } },
    [`GET /api/v1/benchmarks/${slug}/url-setting`]: { body: { is_on: addresses === true, is_configured: true, most_lines: 500, available_actions: [] } },
    [`GET /api/v1/benchmarks/${slug}/url-lists`]: { body: { results: [], next: null, total: null, total_is_capped: false } },
    [`GET /api/v1/benchmarks/${slug}/uploads`]: ({ query }: Asked) => {
      const ids = query.get("ids");
      if (ids !== null) return { body: page(ids.split(",").map((id) => held.get(id) ?? row(id))) };
      return { body: page([...held.values()].filter((one) => one.state === query.get("state"))) };
    },
    [`POST /api/v1/benchmarks/${slug}/uploads/describe`]: ({ body }: Asked) => {
      const { ids, details } = body as { ids: string[]; details: UploadDetails };
      return {
        body: ids.map((id) => {
          const old = held.get(id) ?? row(id);
          const said = { ...old.details, ...details };
          const now = { ...old, details: said, missing: ["source", "licence"].filter((field) => !(field in said)) };
          held.set(id, now);
          return now;
        }),
      };
    },
    [`POST /api/v1/benchmarks/${slug}/uploads/take`]: ({ body }: Asked) => ({
      body: { results: (body as { ids: string[] }).ids.map((id, i) => ({ id, image: { id: i + 1, label: `img-000${i + 1}` }, error: null })) },
    }),
  });
  const asked = (end: string) => server.asked.filter((one) => one.method === "POST" && one.path.endsWith(end)).map((one) => one.body as { ids: string[]; details: UploadDetails });
  return { slug, server, asked };
}

/** The page asks who is signed in, which the frame around it has waited for. */
function SignedIn() {
  return useSession().data ? <IntakePage /> : null;
}

async function open(slug: string) {
  await renderScreen(
    <>
      <SignedIn />
      <KeySheets />
    </>,
    { at: `/b/${slug}/pictures/add`, path: "/b/:slug/pictures/add" },
  );
  await screen.findByTestId("dropzone");
  return userEvent.setup();
}

const file = (of: string) => new File(["x"], of, { type: "image/jpeg", lastModified: 1 });
const states = () => screen.getAllByTestId("upload").map((card) => card.dataset.state);

beforeEach(() => {
  sent.length = 0;
  localStorage.clear();
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(() => {
  cleanup();
  stopIntakes();
  vi.unstubAllGlobals();
});

describe("IntakePage", () => {
  it("leads to the board instead while its list is not frozen", async () => {
    const { slug, server } = desk();
    const body = { slug, categories: [], axes: [], protocol: { version: 1, name: "p", planned: [], content: { ...content, taxonomy: { list: { board: true } } } } };
    server.replies[`GET /api/v1/benchmarks/${slug}`] = { body };
    await renderScreen(<SignedIn />, { at: `/b/${slug}/pictures/add`, path: "/b/:slug/pictures/add" });
    expect((await screen.findByRole("link", { name: "Category board" })).getAttribute("href")).toBe(`/b/${slug}/category-board`);
    expect(screen.queryByTestId("dropzone")).toBeNull();
    expect(server.asked.some(({ path }) => path.endsWith("/uploads"))).toBe(false);
  });

  it("offers web addresses only where an administrator switched them on", async () => {
    const off = desk([], undefined, false);
    await open(off.slug);
    expect(screen.queryByTestId("open-addresses")).toBeNull();
    cleanup();
    const on = desk([], undefined, true);
    const user = await open(on.slug);
    await user.click(await screen.findByTestId("open-addresses"));
    expect(screen.getByTestId("addresses-text")).toBeTruthy();
    await user.click(screen.getByTestId("open-addresses"));
    expect(screen.queryByTestId("addresses-text")).toBeNull();
  });

  it("sends at once, describes all together, and takes in what is ready", async () => {
    const { slug, asked } = desk();
    const user = await open(slug);
    await user.upload(screen.getByTestId("files"), [file("1.jpg"), file("2.jpg")]);
    await vi.waitFor(() => expect(states()).toEqual(["ready", "ready"]), 4_000);
    expect(sent.map((one) => one.file.name)).toEqual(["1.jpg", "2.jpg"]);
    expect(screen.getByTestId<HTMLButtonElement>("add-ready").disabled).toBe(true);
    expect(screen.getByTestId("missing-licence").textContent).toContain("2");
    await user.selectOptions(screen.getByTestId("source"), "own");
    await user.selectOptions(screen.getByTestId("licence"), "CC0-1.0");
    await user.click(screen.getByTestId("apply-details"));
    await vi.waitFor(() => expect(asked("/describe")).toEqual([{ ids: ["u-1.jpg", "u-2.jpg"], details: { source: "own", licence: "CC0-1.0" } }]));
    await user.click(screen.getByTestId("add-ready"));
    await vi.waitFor(() => expect(states()).toEqual(["taken", "taken"]));
    expect(screen.getByRole("link", { name: "img-0001" }).getAttribute("href")).toBe(`/b/${slug}/pictures/1`);
  });

  it("applies the form to what is ticked, also as a range", async () => {
    const { slug, asked } = desk([row("u-a"), row("u-b"), row("u-c"), row("u-d", { missing: [] })]);
    const user = await open(slug);
    await vi.waitFor(() => expect(states()).toHaveLength(4));
    const [first, second] = screen.getAllByRole("checkbox");
    if (!first || !second) throw new Error("no cards");
    await user.click(first);
    await user.keyboard("{Shift>}");
    await user.click(second);
    await user.keyboard("{/Shift}");
    await user.selectOptions(screen.getByTestId("licence"), "CC0-1.0");
    await user.selectOptions(screen.getByTestId("axis-grade"), "high");
    await user.click(screen.getByTestId("apply-details"));
    const details = { licence: "CC0-1.0", axes: { grade: "high" } };
    await vi.waitFor(() => expect(asked("/describe")).toEqual([{ ids: ["u-a", "u-b"], details }]));
    await user.click(screen.getByTestId("select-missing"));
    expect(screen.getByTestId("upload-counts").textContent).toContain("3");
  });

  it("shows what is refused and why, a near duplicate beside its picture, and what an earlier visit left unfinished", async () => {
    const { slug } = desk([
      row("u-r", { state: "refused", error: { code: "image_too_small", params: { width: 10, height: 10, minimum: 256 } } }),
      row("u-n", { near: [{ id: 7, label: "img-0007", distance: 3, thumb_url: "/t7" }] }),
      row("u-i", { state: "receiving", bytes: 10, received: 4 }),
    ]);
    await open(slug);
    await vi.waitFor(() => expect(states()).toEqual(["interrupted", "ready", "refused"]));
    expect(screen.getByRole("alert").textContent).toContain("256");
    const near = within(screen.getByTestId("near"));
    expect(near.getByRole("link").getAttribute("href")).toBe(`/b/${slug}/pictures/7`);
    expect(screen.getAllByTestId("upload")[0]?.textContent).toContain("40%");
  });

  it("names the files that are no pictures until the notice is closed", async () => {
    const { slug } = desk();
    await open(slug);
    const user = userEvent.setup({ delay: null, applyAccept: false });
    const texts = ["a", "b", "c", "d", "e", "f", "g"].map((of) => new File(["x"], `${of}.txt`, { type: "text/plain" }));
    await user.upload(screen.getByTestId("files"), texts);
    expect(screen.getByTestId("not-pictures").textContent).toBe(
      "Not included, because they are not pictures or are empty: a.txt, b.txt, c.txt, d.txt, e.txt, and 2 more files",
    );
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByTestId("not-pictures")).toBeNull();
  });

  it("says in readable amounts why there is no room for an archive", async () => {
    const error = { code: "person_storage_limit", params: { limit: 10_000_000_000, used: 9_500_000_000, bytes: 612_000_000 } };
    const { slug } = desk([row("u-a.zip", { kind: "zip", state: "refused", error, checks: [], missing: [] })]);
    await open(slug);
    expect((await screen.findByRole("alert")).textContent).toContain("take 9.5 GB; this one needs 612 MB, and the maximum is 10 GB.");
  });

  it("says that a check waits for disk space, and how much", async () => {
    const job = { id: 3, kind: "curation.check_upload", state: "queued" as const, done: 0, total: null, created_at: "2026-11-21T08:00:00Z", finished_at: null };
    const full = { error_code: "storage_full", error_params: { disk: "media", free: 0, needed: 5_000_000 } };
    const { slug } = desk([
      row("u-a", { state: "checking", job: { ...job, ...full } }),
      row("u-b", { state: "checking", job: { ...job, error_code: null, error_params: {} } }),
    ]);
    await open(slug);
    const waiting = (await screen.findAllByTestId("wait-reason")).map(({ textContent }) => textContent);
    expect(waiting).toEqual([
      "Not enough disk space on the server: 5 MB needed, 0 bytes free. Ask the site operator to free some. It continues once there is enough space.",
    ]);
  });

  it("says that no worker runs", async () => {
    const { slug } = desk([row("u-c", { state: "checking" })], { worker_alive: false, waiting: 3 });
    await open(slug);
    expect((await screen.findByTestId("no-worker")).textContent).toContain("3");
  });

  it("shows only what the address asks for", async () => {
    const { slug } = desk([row("u-a"), row("u-b", { state: "refused", error: { code: "image_animated", params: {} } })]);
    const user = await open(slug);
    await vi.waitFor(() => expect(states()).toHaveLength(2));
    await user.click(screen.getByTestId("show-refused"));
    expect(states()).toEqual(["refused"]);
    await act(() => user.keyboard("{Escape}"));
  });
});
