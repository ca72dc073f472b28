import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useRead } from "@/api/queries";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { FootBar } from "@/ui/keys";
import { AdoptPage } from "./AdoptPage";

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const SOURCE = "meta: {}\nimages:\n  blur_below: 20\n";
const version = (number: number, source = SOURCE) => ({
  version: number,
  name: "cvlue",
  title: name("CVLUE"),
  source_sha256: "0".repeat(64),
  created_at: "2026-11-20T08:00:00Z",
  created_by: { id: 1, name: "Han" },
  is_current: true,
  content: {},
  source,
  planned: [],
  pairs: [],
});
const effect = (part: object = {}) => ({
  base_version: 1,
  changes: [{ path: "images.blur_below", before: 20, after: 30, is_locked: false }],
  role_changes: [],
  needs_second: false,
  asks_consent_again: false,
  is_same_text: false,
  ...part,
});
const valid = (part: object = {}) => ({ body: { faults: [], fault_count: 0, warnings: [], title: name("CVLUE"), planned: [], effect: effect(part) } });

const replies = (check: object = valid()) => ({
  "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 1, name: "cvlue", content: {}, planned: [] }, categories: [] } },
  "GET /api/v1/benchmarks/x/protocols/1": { body: version(1) },
  "POST /api/v1/protocol-checks": check,
  "POST /api/v1/benchmarks/x/protocols": { status: 201, body: version(2) },
  "POST /api/v1/benchmarks/x/protocol-proposals": { status: 201, body: { id: 7 } },
});
const at = { path: "/b/:slug/protocol/new", at: "/b/x/protocol/new" };
const type = async (text: string) => {
  const area = await screen.findByTestId<HTMLTextAreaElement>("protocol-text");
  fireEvent.change(area, { target: { value: text } });
  return area;
};

function Session() {
  useRead("session_show", {});
  return null;
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe("AdoptPage", () => {
  it("starts from the text in force, shows what changes, and adopts on those grounds", async () => {
    const server = serve(replies());
    const { router } = await renderScreen(<AdoptPage />, at);
    const area = await type(SOURCE.replace("20", "30"));
    expect(area.value).toContain("blur_below: 30");
    await screen.findByTestId("change-images.blur_below");
    await userEvent.click(screen.getByTestId("adopt"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/protocol/versions/2"));
    const sent = server.asked.find((one) => one.path === "/api/v1/benchmarks/x/protocols")?.body;
    expect(sent).toMatchObject({ text: SOURCE.replace("20", "30"), base_version: 1 });
    expect(localStorage.getItem("lantern.protocol.x")).toBeNull();
  });

  it("is left for the new version, and forgets the text, though the benchmark follows the new version at once", async () => {
    let followed = 1;
    const server = serve(replies());
    server.replies["GET /api/v1/benchmarks/x"] = () => ({
      body: { slug: "x", protocol: { version: followed, name: "cvlue", content: {}, planned: [] }, categories: [] },
    });
    server.replies["GET /api/v1/session"] = { body: {} };
    server.replies["POST /api/v1/benchmarks/x/protocols"] = () => {
      followed = 2;
      return { status: 201, body: version(2) };
    };
    // The session, which is read again as well, comes after the benchmark.
    const answer = globalThis.fetch;
    vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
      if (address.endsWith("/session")) await new Promise((resolve) => setTimeout(resolve, 50));
      return answer(address, init);
    });
    const { router } = await renderScreen(
      <>
        <Session />
        <AdoptPage />
      </>,
      at,
    );
    await type(SOURCE.replace("20", "30"));
    await screen.findByTestId("change-images.blur_below");
    await userEvent.click(screen.getByTestId("adopt"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/protocol/versions/2"));
    expect(localStorage.getItem("lantern.protocol.x")).toBeNull();
  });

  it("names faults by line, leads to them, and adopts nothing", async () => {
    const fault = { line: 3, key: "images.blur_below", message: "expected a whole number, got 'x'", code: "no_whole_number", params: { got: "x" } };
    serve(replies({ body: { faults: [fault], fault_count: 1, warnings: [], title: null, planned: [], effect: null } }));
    await renderScreen(<AdoptPage />, at);
    const area = await type(SOURCE.replace("20", "x"));
    const shown = await screen.findByTestId("fault-0");
    expect(shown.textContent).toBe("line 3images › blur_belowexpected a whole number, got x");
    await userEvent.click(shown);
    expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe("  blur_below: x");
    expect(document.activeElement).toBe(area);
    expect(screen.getByTestId<HTMLButtonElement>("adopt").disabled).toBe(true);
  });

  it("counts the faults that the server does not list", async () => {
    const fault = { line: 1, key: "a", message: "", code: "key_twice", params: { first: 1 } };
    serve(replies({ body: { faults: [fault], fault_count: 48_999, warnings: [], title: null, planned: [], effect: null } }));
    await renderScreen(<AdoptPage />, at);
    await type("{a, a, a}");
    expect((await screen.findByTestId("faults-more")).textContent).toBe("and 48998 more errors");
    expect(screen.getByTestId("check-state").textContent).toContain("48999 errors");
  });

  it("says in a sentence with numbers that an inspection means little, and lets it be adopted", async () => {
    const params = { size: 20, sample: 2, errors_allowed: 0, right_percent: 90, chance: 0.8053 };
    const warning = { code: "inspection_weak", params, line: 2, path: "tracks.package.size" };
    const checked = valid();
    serve(replies({ body: { ...checked.body, warnings: [warning] } }));
    await renderScreen(<AdoptPage />, at);
    const area = await type("meta: {}\nsize: 20\n");
    const shown = await screen.findByTestId("protocol-warning-inspection_weak");
    expect(shown.textContent).toContain("line 2");
    expect(shown.textContent).toContain("With 2 of 20 inspected and 0 allowed to be wrong, a package that is only 90% right still passes with probability 80.5%.");
    await userEvent.click(shown);
    expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe("size: 20");
    expect(screen.getByTestId<HTMLButtonElement>("adopt").disabled).toBe(false);
  });

  it("keeps what work rests on, and says which part it is", async () => {
    serve(replies(valid({ changes: [{ path: "kinds.captions.slots", before: 5, after: 4, is_locked: true }] })));
    await renderScreen(<AdoptPage />, at);
    await type("other");
    expect((await screen.findByTestId("change-kinds.captions.slots")).textContent).toContain("locked");
    expect(screen.getByTestId<HTMLButtonElement>("adopt").disabled).toBe(true);
  });

  it("says that someone was quicker, and continues from theirs only when asked to", async () => {
    const server = serve(replies(valid({ base_version: 2 })));
    await renderScreen(<AdoptPage />, at);
    await type("other");
    const advance = await screen.findByTestId("continue");
    expect(screen.getByTestId<HTMLButtonElement>("adopt").disabled).toBe(true);
    await userEvent.click(advance);
    await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("adopt").disabled).toBe(false));
    await userEvent.click(screen.getByTestId("adopt"));
    await waitFor(() => {
      const sent = server.asked.find((one) => one.path === "/api/v1/benchmarks/x/protocols")?.body;
      expect(sent).toMatchObject({ base_version: 2 });
    });
  });

  it("says when everyone will be asked for consent again", async () => {
    serve(replies(valid({ asks_consent_again: true })));
    await renderScreen(<AdoptPage />, at);
    await type("other");
    await waitFor(() => expect(screen.getByTestId("effect").textContent).toContain("everyone is asked again"));
  });

  it("keeps what was written for the next visit, until it is dropped", async () => {
    serve(replies());
    const first = await renderScreen(<AdoptPage />, at);
    await type("mine");
    first.unmount();
    await renderScreen(<AdoptPage />, at);
    expect((await screen.findByTestId<HTMLTextAreaElement>("protocol-text")).value).toBe("mine");
    await userEvent.click(screen.getByTestId("discard-draft"));
    expect(screen.getByTestId<HTMLTextAreaElement>("protocol-text").value).toBe(SOURCE);
  });
});

describe("AdoptPage, where roles gain rights", () => {
  it("proposes a text that gives a role more rights, and adopts nothing", async () => {
    const role_changes = [
      { role: "senior", name: name("Senior"), gained: ["inspect"], lost: ["annotate:captions"] },
      { role: ".leads", name: null, gained: ["annotator"], lost: [] },
    ];
    const server = serve(replies(valid({ needs_second: true, role_changes })));
    server.replies["GET /api/v1/benchmarks/x"] = {
      body: {
        slug: "x",
        protocol: { version: 1, name: "cvlue", content: { roles: [{ code: "annotator", name: name("Annotator") }] }, planned: [] },
        categories: [],
      },
    };
    const { router } = await renderScreen(
      <>
        <AdoptPage />
        <FootBar />
      </>,
      at,
    );
    await type(SOURCE.replace("20", "30"));
    const changes = await screen.findByTestId("role-change-senior");
    expect(changes.textContent).toBe("now: inspects samplesno longer: annotates (Captions)");
    expect(screen.getByTestId("role-change-.leads").textContent).toBe("now: invites members as “Annotator”");
    expect(screen.getByTestId("adopt").textContent).toContain("Propose as version 2");
    const foot = screen.getByRole("contentinfo").textContent;
    expect(foot).toContain("Propose");
    expect(foot).not.toContain("Adopt");
    await userEvent.click(screen.getByTestId("adopt"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b/x/protocol/proposals/7"));
    const sent = server.asked.filter((one) => one.method === "POST" && one.path.startsWith("/api/v1/benchmarks/"));
    expect(sent.map((one) => one.path)).toEqual(["/api/v1/benchmarks/x/protocol-proposals"]);
    expect(sent[0]?.body).toMatchObject({ text: SOURCE.replace("20", "30"), base_version: 1 });
    expect(localStorage.getItem("lantern.protocol.x")).toBeNull();
  });
});
