import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { Clicking, ClickingPool } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { memberReplies } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { FootBar, KeySheets } from "@/ui/keys";
import { ClickPage } from "./ClickPage";

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(private readonly call: (entries: unknown[]) => void) {}
      observe() {
        this.call([{ contentRect: { width: 800, height: 600 } }]);
      }
      disconnect() {
        return undefined;
      }
    },
  );
});
afterEach(async () => {
  // Leaving the page still talks to the server: it goes before the stand-in does.
  cleanup();
  await new Promise((done) => setTimeout(done));
  vi.unstubAllGlobals();
});

const TEXTS = ["抱着碗的熊猫", "最右边的熊猫"];
const POOL = "/api/v1/benchmarks/x/clicking";

function item(position: number, changes: Partial<Clicking> = {}): Clicking {
  return {
    id: 5,
    seat: 105,
    lease_until: "2026-11-23T10:00:00Z",
    image: { id: 40, view_url: "/view", clean_url: "/clean", width: 2000, height: 1000, redaction_no: 3 },
    position,
    count: TEXTS.length,
    text: TEXTS[position - 1] ?? "",
    language: { lang: "zh-Hans", dir: "ltr" },
    ...changes,
  };
}

function SignedIn() {
  return useSession().data ? (
    <>
      <ClickPage />
      <KeySheets />
      <FootBar />
    </>
  ) : null;
}

interface Behaviour {
  /** What the server answers to an answer; by default it stores it. */
  onClick?: (asked: Asked) => { status: number; body?: unknown } | undefined;
  waiting?: number;
  claim?: { status: number; body: unknown };
  renew?: object;
}

/** A server that goes from text to text. */
async function open({ onClick, waiting = 2, claim, renew }: Behaviour = {}) {
  let held: Clicking | null = null;
  const pool = (): ClickingPool => ({ kind: "grounding", waiting, lease_seconds: 600, heartbeat_seconds: 60, item: held });
  const server = serve({
    ...memberReplies(3, "grounding", "pair"),
    [`GET ${POOL}`]: () => ({ body: pool() }),
    [`POST ${POOL}/claim`]: () => {
      if (claim) return claim;
      held = item(1);
      return { body: pool() };
    },
    "POST /api/v1/items/5/click": (asked) => {
      const answer = onClick?.(asked);
      if (answer) return answer;
      const { position } = asked.body as { position: number };
      held = position < TEXTS.length ? item(position + 1) : null;
      return { status: 204 };
    },
    "POST /api/v1/benchmarks/x/peer-pool/release": { body: { kept: [], lost: [] } },
    "POST /api/v1/benchmarks/x/peer-pool/renew": { body: renew ?? { kept: [], lost: [] } },
  });
  await renderScreen(<SignedIn />, { at: "/b/x/write/click", path: "/b/:slug/write/click" });
  const keys = userEvent.setup({ delay: null });
  const sent = () => server.asked.filter(({ method, path }) => method === "POST" && path.endsWith("/click")).map(({ body }) => body as Record<string, unknown>);
  return { keys, server, sent, loseSeat: () => (held = null) };
}

async function start(behaviour: Behaviour = {}) {
  const opened = await open(behaviour);
  await screen.findByTestId("start");
  await opened.keys.keyboard("{Enter}");
  await shows(1);
  return opened;
}
const shows = (position: number) => waitFor(() => expect(screen.getByTestId("text-to-find").textContent).toBe(TEXTS[position - 1]));
/** What was shown a moment ago is no double click any more. */
const rest = () => act(() => new Promise((done) => setTimeout(done, 450)));

function press(x: number, y: number, pointerType = "mouse") {
  const svg = document.querySelector<SVGSVGElement>(".stage-svg");
  if (svg === null) throw new Error("no picture");
  svg.setPointerCapture = () => undefined;
  const place = { button: 0, pointerId: 1, clientX: x * 0.4, clientY: 100 + y * 0.4, pointerType };
  fireEvent.pointerDown(svg, place);
  fireEvent.pointerUp(svg, place);
}

test("texts come one at a time, each answered by a click, and nothing names what is meant", async () => {
  const { sent } = await start();
  expect(screen.getByTestId("click-position").textContent).toBe("1 of 2");
  expect(screen.getByRole("img", { name: "Picture" })).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/img-|cap-|Mona/);
  expect(await axeFaults()).toEqual([]);
  await rest();
  press(250, 100);
  await shows(2);
  expect(sent()).toMatchObject([{ position: 1, answer: "point", x: 250, y: 100, picture_no: 3 }]);
  expect(Number(sent()[0]?.ms)).toBeGreaterThan(400);
  // The second half of a double click is not the next answer.
  press(250, 100);
  await rest();
  expect(sent()).toHaveLength(1);
  press(1000, 500);
  expect((await screen.findByTestId("click-done")).textContent).toBe("You have answered all texts of this picture.");
  expect(screen.getByTestId("start").textContent).toContain("Next picture");
});

test("keys move a crosshair from the middle and answer with it, or say that nothing or too much fits", async () => {
  const { keys, sent } = await start();
  expect(screen.queryByTestId("crosshair")).toBeNull();
  await keys.keyboard("{Enter}");
  expect(sent()).toEqual([]);
  // A step is four pixels of the screen, ten of the picture.
  await keys.keyboard("{ArrowLeft}{ArrowUp}");
  await keys.keyboard("{Shift>}{ArrowRight}{/Shift}");
  expect(screen.getByText("Crosshair at 1,090, 490")).toBeTruthy();
  expect(screen.getByTestId("foot-click.notFound").textContent).toContain("Not found");
  await keys.keyboard("{Enter}");
  await shows(2);
  expect(screen.queryByTestId("crosshair")).toBeNull();
  await keys.keyboard("m");
  await screen.findByTestId("click-done");
  expect(sent()).toMatchObject([
    { position: 1, answer: "point", x: 1090, y: 490 },
    { position: 2, answer: "several" },
  ]);
  expect(sent()[1]).not.toHaveProperty("x");
  await keys.keyboard("n");
  await shows(1);
});

test("a finger only moves the crosshair; the button answers", async () => {
  const { keys, sent } = await start();
  await rest();
  press(300, 400, "touch");
  expect(screen.getByTestId("crosshair")).toBeTruthy();
  expect(sent()).toEqual([]);
  await keys.click(screen.getByTestId("answer-point"));
  await shows(2);
  await keys.click(screen.getByTestId("answer-not-found"));
  await screen.findByTestId("click-done");
  expect(sent()).toMatchObject([{ x: 300, y: 400 }, { answer: "not_found" }]);
});

test("an answer that met no server is sent again under the same key, and no other meanwhile", async () => {
  let isAway = true;
  const { keys, sent } = await start({ onClick: () => (isAway ? { status: 503, body: null } : undefined) });
  await keys.keyboard("x");
  expect((await screen.findByTestId("click-unsent")).textContent).toContain("sent again");
  await keys.keyboard("m");
  expect(screen.getByTestId<HTMLButtonElement>("answer-several").disabled).toBe(true);
  isAway = false;
  await keys.click(screen.getByTestId("send-again"));
  await shows(2);
  expect(screen.queryByTestId("click-unsent")).toBeNull();
  const [first, second] = sent();
  expect(sent()).toHaveLength(2);
  expect(second).toEqual(first);
});

test("it is sent again by itself when the connection is back", async () => {
  let isAway = true;
  const { keys, sent } = await start({ onClick: () => (isAway ? { status: 503, body: null } : undefined) });
  await keys.keyboard("x");
  await screen.findByTestId("click-unsent");
  isAway = false;
  act(() => void window.dispatchEvent(new Event("online")));
  await shows(2);
  expect(sent()[1]).toEqual(sent()[0]);
});

test("a seat that expired meanwhile is a sentence, and the next picture can be claimed", async () => {
  let lose = () => undefined as unknown;
  const { keys, loseSeat } = await start({
    onClick: () => {
      lose();
      return { status: 409, body: { code: "seat_not_held", params: {}, detail: "" } };
    },
  });
  lose = loseSeat;
  await keys.keyboard("x");
  expect((await screen.findByTestId("seat-expired")).textContent).toContain("no longer reserved");
  await keys.keyboard("{Enter}");
  await shows(1);
  expect(screen.queryByTestId("seat-expired")).toBeNull();
});

test("changed boxes are a sentence", async () => {
  const { keys } = await start({ onClick: () => ({ status: 409, body: { code: "base_changed", params: {}, detail: "" } }) });
  await keys.keyboard("x");
  expect((await screen.findByTestId("problem")).dataset.code).toBe("base_changed");
});

test("who can open every item reads why they get none; where none waits, nothing can be started", async () => {
  const { keys } = await open({ claim: { status: 409, body: { code: "sees_every_item", params: {}, detail: "" } } });
  await screen.findByTestId("start");
  await keys.keyboard("{Enter}");
  expect((await screen.findByTestId("problem")).textContent).toContain("You can open every item of this kind");
  cleanup();
  await open({ waiting: 0 });
  expect(await screen.findByText("You’re all caught up")).toBeTruthy();
  expect(screen.queryByTestId("start")).toBeNull();
});
