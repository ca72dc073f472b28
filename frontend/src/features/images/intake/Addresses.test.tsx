import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { Addresses } from "./Addresses";
import { textOf } from "./textOf";

const line = (no: number, errors: object[] = []) => ({ line: no, url: `https://a.example/${no}.jpg`, licence: "MIT", author: "Li Lei", category: "", page: "", errors });

/** A server that reads every list as the same two lines, and keeps one list. */
function desk() {
  const list = { id: 7, created_at: "2026-11-24T00:00:00Z", lines: 2, waiting: 2, fetched: 0, failed: 0, job: null, available_actions: [] as string[] };
  let lists: (typeof list)[] = [];
  const rows = (): object[] => [
    { line: 1, url: "https://a.example/1.jpg", state: "ready", error: null, upload: "u", image: null },
    { line: 2, url: "https://a.example/2.jpg", state: "failed", error: { code: "url_status", params: { status: 404 } }, upload: null, image: null },
  ];
  const server = serve({
    "POST /api/v1/benchmarks/b/url-lists/preview": { body: { valid: 1, lines: [line(1), line(2, [{ code: "url_not_web", params: { scheme: "ftp" } }])] } },
    "POST /api/v1/benchmarks/b/url-lists": () => {
      lists = [list];
      return { body: { ...list, rows: [], worker_alive: true } };
    },
    "GET /api/v1/benchmarks/b/url-lists": () => ({ body: { results: lists, next: null, total: null, total_is_capped: false } }),
    "GET /api/v1/url-lists/7": () => ({ body: { ...list, rows: rows(), worker_alive: true } }),
    "POST /api/v1/url-lists/7/retry": () => ({ body: { ...list, rows: [], worker_alive: true } }),
  });
  const posted = (end: string) => server.asked.filter((one: Asked) => one.method === "POST" && one.path.endsWith(end)).map((one) => one.body);
  return { posted, put: (part: Partial<typeof list>) => (lists = [{ ...list, ...part }]) };
}

const open = (onFetched = vi.fn()) => renderScreen(<Addresses slug="b" mostLines={500} onFetched={onFetched} />, { at: "/b/b/pictures/add", path: "/b/:slug/pictures/add" });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("Addresses", () => {
  it("shows the errors of each line first, then fetches the text that was checked", async () => {
    const { posted } = desk();
    await open();
    const user = userEvent.setup();
    expect(screen.getByTestId<HTMLButtonElement>("addresses-check").disabled).toBe(true);
    await user.type(screen.getByTestId("addresses-text"), "https://a.example/1.jpg,MIT,Li Lei");
    await user.click(screen.getByTestId("addresses-check"));
    const rows = within(await screen.findByTestId("addresses-preview")).getAllByRole("row").slice(1);
    expect(rows.map((row) => row.dataset.valid)).toEqual(["false", "true"]);
    expect(screen.getByTestId("addresses-error").dataset.code).toBe("url_not_web");
    expect(screen.getByTestId("addresses-fetch").textContent).toContain("1");
    await user.click(screen.getByTestId("addresses-fetch"));
    await waitFor(() => expect(screen.getByTestId("address-list").dataset.waiting).toBe("2"));
    expect(posted("/preview")).toEqual([{ text: "https://a.example/1.jpg,MIT,Li Lei" }]);
    expect(posted("/url-lists")).toEqual([{ text: "https://a.example/1.jpg,MIT,Li Lei", client_key: expect.any(String) as string }]);
    expect(screen.getByTestId<HTMLTextAreaElement>("addresses-text").value).toBe("");
    expect(screen.queryByTestId("addresses-preview")).toBeNull();
  });

  it("does not fetch a text that was changed after it was checked", async () => {
    desk();
    await open();
    const user = userEvent.setup();
    await user.type(screen.getByTestId("addresses-text"), "x");
    await user.click(screen.getByTestId("addresses-check"));
    await screen.findByTestId("addresses-fetch");
    await user.type(screen.getByTestId("addresses-text"), "y");
    expect(screen.queryByTestId("addresses-fetch")).toBeNull();
  });

  it("lists what became of each line, announces fetched files and retries failed ones", async () => {
    const { posted, put } = desk();
    put({ waiting: 0, fetched: 1, failed: 1, available_actions: ["url_list_retry"] });
    const onFetched = vi.fn();
    await open(onFetched);
    const user = userEvent.setup();
    await user.click(await screen.findByTestId("address-lines"));
    const rows = within(await screen.findByTestId("address-rows")).getAllByRole("row").slice(1);
    expect(rows.map((row) => row.dataset.state)).toEqual(["ready", "failed"]);
    expect(rows[1]?.querySelector<HTMLElement>("[data-code]")?.dataset.code).toBe("url_status");
    expect(onFetched).toHaveBeenCalledOnce();
    await user.click(screen.getByTestId("address-retry"));
    await waitFor(() => expect(posted("/retry")).toHaveLength(1));
  });

  it("reads a file into the list, also one that a Chinese spreadsheet wrote", async () => {
    desk();
    await open();
    const user = userEvent.setup();
    await user.upload(screen.getByTestId("addresses-file"), new File(["网址,许可,作者"], "list.csv", { type: "text/csv" }));
    await waitFor(() => expect(screen.getByTestId<HTMLTextAreaElement>("addresses-text").value).toBe("网址,许可,作者"));
    expect(await textOf(new Blob([new Uint8Array([0xcd, 0xf8, 0xd6, 0xb7])]))).toBe("网址");
  });
});
