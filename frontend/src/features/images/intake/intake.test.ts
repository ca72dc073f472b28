// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { signals } from "@/api/signals";
import type { UploadDetails, UploadRow } from "@/api/types";
import type { FileToSend } from "@/api/upload";
import { Intake, type Card, type IntakeServer } from "./intake";
import { browserMemory } from "./memory";

const file = (name: string, size = 1) => new File(["x".repeat(size)], name, { type: "image/jpeg", lastModified: 7 });

function row(id: string, part: Partial<UploadRow> = {}): UploadRow {
  return {
    id,
    filename: `${id}.jpg`,
    bytes: 1,
    received: 1,
    kind: "picture",
    parent: null,
    state: "ready",
    checks: [],
    error: null,
    details: {},
    missing: ["licence"],
    width: 10,
    height: 10,
    thumb_url: null,
    near: [],
    image: null,
    expires_at: "2026-12-01T00:00:00Z",
    ...part,
  };
}

const worker = { alive: true, waiting: 0 };

/** A server that remembers, and a transport whose requests are answered by hand. */
function desk(rows: UploadRow[] = []) {
  const held = new Map(rows.map((one) => [one.id, one]));
  const sent: (FileToSend & { resolve: (id: string) => void; reject: (error: ApiError) => void })[] = [];
  const said: [string[], UploadDetails][] = [];
  const takes: [string[], string][] = [];
  const dropped: string[] = [];
  const server: IntakeServer = {
    open: () => Promise.resolve({ rows: [...held.values()], worker }),
    rows: (ids) => Promise.resolve({ rows: ids.flatMap((id) => held.get(id) ?? []), worker }),
    describe: (ids, details) => {
      said.push([[...ids], details]);
      return Promise.resolve(
        ids.flatMap((id) => {
          const old = held.get(id);
          if (!old) return [];
          const now = { ...old, details: { ...old.details, ...details }, missing: details.licence === undefined ? old.missing : [] };
          held.set(id, now);
          return [now];
        }),
      );
    },
    take: (ids, key) => {
      takes.push([[...ids], key]);
      return Promise.resolve(ids.map((id, i) => ({ id, image: { id: i + 1, label: `img-000${i + 1}` }, error: null })));
    },
    drop: (id) => {
      dropped.push(id);
      return Promise.resolve();
    },
  };
  const intake = new Intake({
    slug: "b",
    send: (sending) => new Promise((resolve, reject) => sent.push({ ...sending, resolve, reject })),
    server,
    memory: browserMemory(1, "b", localStorage),
    missing: (details) => (details.licence === undefined ? ["licence"] : []),
    onTaken: () => undefined,
    pollMs: 5,
  });
  return { intake, server, held, sent, said, takes, dropped };
}

const states = (intake: Intake) => intake.snapshot().cards.map((card) => card.state);
const card = (intake: Intake, at = 0): Card => {
  const found = intake.snapshot().cards[at];
  if (!found) throw new Error(`no card ${at}`);
  return found;
};

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());
const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

describe("sending", () => {
  it("begins at once, three at a time, in order", async () => {
    const { intake, sent } = desk();
    intake.add(["1", "2", "3", "4", "5"].map((name) => file(name)));
    await settle();
    expect(sent.map((one) => one.file.name)).toEqual(["1", "2", "3"]);
    sent[1]?.resolve("u2");
    await settle();
    expect(sent.map((one) => one.file.name)).toEqual(["1", "2", "3", "4"]);
    expect(states(intake)).toEqual(["sending", "checking", "sending", "sending", "queued"]);
    expect(intake.isBusy).toBe(true);
  });

  it("puts a later batch in front and does not take the same file twice", async () => {
    const { intake } = desk();
    intake.add([file("1"), file("2")]);
    expect(intake.add([file("3"), file("1")])).toEqual({ added: 1, known: 1 });
    await settle();
    expect(intake.snapshot().cards.map((one) => one.name)).toEqual(["3", "1", "2"]);
  });

  it("goes on with the others when one is refused, and keeps why", async () => {
    const { intake, sent } = desk();
    intake.add([file("1"), file("2")]);
    await settle();
    sent[0]?.reject(new ApiError(413, "image_too_large", { maximum: 5 }));
    sent[1]?.onId("u2");
    await settle();
    expect(states(intake)).toEqual(["refused", "sending"]);
    expect(card(intake).error).toMatchObject({ code: "image_too_large", params: { maximum: 5 } });
  });

  it("waits out a lost connection and goes on with the same upload", async () => {
    const { intake, sent } = desk();
    intake.add([file("1")]);
    await settle();
    sent[0]?.onId("u1");
    sent[0]?.reject(new ApiError(0, "no_connection"));
    await settle();
    expect(states(intake)).toEqual(["offline"]);
    await settle(10_000);
    expect(states(intake)).toEqual(["sending"]);
    expect([sent[1]?.known, sent[1]?.clientKey]).toEqual(["u1", sent[0]?.clientKey]);
  });

  it("takes a file off the list and off the server", async () => {
    const { intake, sent, dropped } = desk();
    intake.add([file("1")]);
    await settle();
    sent[0]?.onId("u1");
    intake.remove([card(intake).key]);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(dropped).toEqual(["u1"]);
    expect(intake.snapshot().cards).toEqual([]);
    sent[0]?.reject(new ApiError(0, "upload_stopped"));
    await settle();
    expect(intake.isBusy).toBe(false);
  });
});

describe("after a reload", () => {
  it("shows what is there already, and continues a file that is chosen again", async () => {
    const before = desk();
    before.intake.add([file("half.jpg", 9), file("whole.jpg", 3)]);
    await settle();
    before.sent[0]?.onId("u1");
    before.sent[1]?.onId("u2");
    const key = before.sent[0]?.clientKey;

    const after = desk([
      row("u1", { filename: "half.jpg", state: "receiving", bytes: 9, received: 4 }),
      row("u2", { filename: "whole.jpg", details: { author: "Li" } }),
    ]);
    await after.intake.load();
    expect(states(after.intake)).toEqual(["interrupted", "ready"]);
    expect(card(after.intake).sent).toBe(4);

    after.intake.add([file("half.jpg", 9), file("whole.jpg", 3), file("new.jpg")]);
    await settle();
    expect(after.intake.snapshot().cards.map((one) => [one.name, one.state])).toEqual([
      ["half.jpg", "sending"],
      ["whole.jpg", "ready"],
      ["new.jpg", "sending"],
    ]);
    expect(after.sent.map((one) => [one.file.name, one.known])).toEqual([
      ["half.jpg", "u1"],
      ["new.jpg", null],
    ]);
    expect(after.sent[0]?.clientKey).toBe(key);
    expect(card(after.intake, 1).details).toEqual({ author: "Li" });
  });

  it("begins anew, under another key, when the server has swept the upload", async () => {
    const before = desk();
    before.intake.add([file("half.jpg", 9)]);
    await settle();
    before.sent[0]?.onId("u1");
    const after = desk();
    after.intake.add([file("half.jpg", 9)]);
    await settle();
    expect(after.sent[0]?.known).toBeNull();
    expect(after.sent[0]?.clientKey).not.toBe(before.sent[0]?.clientKey);
  });

  it("repeats a beginning whose answer was lost under the same key", async () => {
    const before = desk();
    before.intake.add([file("1.jpg")]);
    await settle();
    const after = desk();
    after.intake.add([file("1.jpg")]);
    await settle();
    expect(after.sent[0]?.clientKey).toBe(before.sent[0]?.clientKey);
  });
});

describe("checks", () => {
  it("are looked at until they are done", async () => {
    const { intake, sent, held } = desk();
    intake.add([file("1")]);
    await settle();
    sent[0]?.onId("u1");
    held.set("u1", row("u1", { state: "checking", checks: [{ code: "size", state: "passed", params: {} }] }));
    sent[0]?.resolve("u1");
    await settle(6);
    expect(card(intake).row?.checks).toHaveLength(1);
    held.set("u1", row("u1", { state: "refused", error: { code: "image_duplicate", params: { twin: "img-0007" } } }));
    await settle(6);
    expect(states(intake)).toEqual(["refused"]);
    expect(card(intake).name).toBe("1");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are not asked about while nobody is signed in, nor once stopped", async () => {
    const { intake, server, sent } = desk([row("u1", { state: "checking" })]);
    const asked = vi.spyOn(server, "rows");
    intake.add([file("1")]);
    await settle();
    expect(sent).toHaveLength(1);
    signals.signedOut();
    await settle(5);
    const before = asked.mock.calls.length;
    await settle(100);
    expect(asked.mock.calls.length).toBe(before);
    signals.signedIn();
    await settle(10);
    expect(asked.mock.calls.length).toBeGreaterThan(before);
    const last = asked.mock.calls.length;
    intake.stop();
    signals.reached(false);
    signals.reached(true);
    intake.add([file("2")]);
    await settle(100);
    expect(asked.mock.calls.length).toBe(last);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it("of many are looked at in turn, not the first ones again and again", async () => {
    const many = Array.from({ length: 120 }, (_, i) => row(`u${i}`, { state: "checking" }));
    const { intake, server } = desk(many);
    const { rows: works } = server;
    const asked: string[] = [];
    server.rows = (ids) => {
      asked.push(`${ids[0] ?? ""} ${ids.length}`);
      return works(ids);
    };
    await intake.load();
    await settle(21);
    expect(asked).toEqual(["u0 50", "u50 50", "u100 20", "u0 50"]);
  });

  it("are not lost to an answer that was under way while the last bytes arrived", async () => {
    const { intake, server, sent, held } = desk();
    intake.add([file("1")]);
    await settle();
    held.set("u1", row("u1", { state: "receiving", received: 0 }));
    const { describe: works } = server;
    server.describe = async (ids, details) => {
      const before = await works(ids, details);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return before;
    };
    intake.describe([card(intake).key], { licence: "MIT" });
    sent[0]?.onId("u1");
    await settle(70);
    sent[0]?.resolve("u1");
    await settle(41);
    expect(states(intake)).toEqual(["checking"]);
    held.set("u1", row("u1", { missing: [] }));
    await settle(10);
    expect(states(intake)).toEqual(["ready"]);
  });

  it("of an archive bring its pictures as cards of their own", async () => {
    const { intake, sent, held } = desk();
    intake.add([file("trip.zip")]);
    await settle();
    held.set("z", row("z", { kind: "zip", state: "taken" }));
    held.set("e1", row("e1", { parent: "z" }));
    sent[0]?.onId("z");
    sent[0]?.resolve("z");
    await settle(6);
    expect(intake.snapshot().cards.map((one) => one.id)).toEqual(["z", "e1"]);
  });
});

describe("describing", () => {
  it("says one thing of many in one request, also of files not begun yet", async () => {
    const { intake, sent, said, held } = desk([row("u1"), row("u2")]);
    await intake.load();
    intake.add([file("1")]);
    await settle();
    intake.describe(
      intake.snapshot().cards.map((one) => one.key),
      { licence: "CC0-1.0", author: " Li " },
    );
    expect(intake.snapshot().cards.map((one) => one.missing)).toEqual([[], [], []]);
    await settle(60);
    expect(said).toEqual([[["u1", "u2"], { licence: "CC0-1.0", author: "Li" }]]);
    held.set("u3", row("u3", { state: "receiving" }));
    sent[0]?.onId("u3");
    await settle(60);
    expect(said[1]).toEqual([["u3"], { licence: "CC0-1.0", author: "Li" }]);
    expect(card(intake).details).toEqual({ licence: "CC0-1.0", author: "Li" });
  });

  it("is not lost when the connection is", async () => {
    const { intake, server, said } = desk([row("u1")]);
    await intake.load();
    const { describe: works } = server;
    server.describe = () => Promise.reject(new ApiError(0, "no_connection"));
    intake.describe(["u1"], { licence: "MIT" });
    await settle(60);
    expect(intake.isBusy).toBe(true);
    expect(intake.snapshot().problem?.code).toBe("no_connection");
    server.describe = works;
    await settle(10_100);
    expect(said).toEqual([[["u1"], { licence: "MIT" }]]);
    expect([intake.isBusy, intake.snapshot().problem]).toEqual([false, null]);
  });
});

describe("a description that the server refuses", () => {
  it("is not shown as said, and the server's reason is", async () => {
    const { intake, server } = desk([row("u1", { details: { author: "Li" } })]);
    await intake.load();
    server.describe = () => Promise.reject(new ApiError(422, "site_not_allowed", { host: "e.org" }));
    intake.describe(["u1"], { url: "https://e.org/a.jpg" });
    await settle(60);
    expect(card(intake).details).toEqual({ author: "Li" });
    expect(intake.snapshot().problem?.code).toBe("site_not_allowed");
    expect(intake.isBusy).toBe(false);
  });
});

describe("taking in", () => {
  it("takes nothing in before what was just said has arrived", async () => {
    const { intake, server, takes } = desk([row("a")]);
    await intake.load();
    const { describe: works } = server;
    let arrive: () => void = () => undefined;
    server.describe = async (ids, details) => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return works(ids, details);
    };
    intake.describe([card(intake).key], { licence: "CC0-1.0" });
    await vi.advanceTimersByTimeAsync(100);
    const done = intake.take();
    await vi.advanceTimersByTimeAsync(100);
    expect(takes).toEqual([]);
    arrive();
    await done;
    expect(takes.map(([ids]) => ids)).toEqual([["a"]]);
    expect(states(intake)).toEqual(["taken"]);
  });

  it("takes what is ready and described, after saying what was not said yet", async () => {
    const { intake, takes, said } = desk([row("u1"), row("u2", { missing: [] }), row("u3"), row("u4", { state: "refused", missing: [] })]);
    await intake.load();
    intake.describe(["u1"], { licence: "MIT" });
    await intake.take();
    expect(said).toHaveLength(1);
    expect(takes.map(([ids]) => ids)).toEqual([["u1", "u2"]]);
    expect(intake.snapshot().cards.map((one) => [one.state, one.image?.label ?? null])).toEqual([
      ["taken", "img-0001"],
      ["taken", "img-0002"],
      ["ready", null],
      ["refused", null],
    ]);
    intake.clearTaken();
    expect(states(intake)).toEqual(["ready", "refused"]);
  });

  it("asks again under the same key when the answer was lost", async () => {
    const { intake, server, takes } = desk([row("u1", { missing: [] })]);
    await intake.load();
    const { take: works } = server;
    let lost = true;
    server.take = async (ids, key) => {
      const answer = await works(ids, key);
      if (!lost) return answer;
      lost = false;
      throw new ApiError(0, "no_connection");
    };
    const done = intake.take();
    await settle(1_000);
    await done;
    expect(takes).toHaveLength(2);
    expect(takes[0]).toEqual(takes[1]);
    expect(states(intake)).toEqual(["taken"]);
  });

  it("says of one what keeps it out and takes the others", async () => {
    const { intake, server } = desk([row("u1", { missing: [] }), row("u2", { missing: [] })]);
    await intake.load();
    server.take = (ids) =>
      Promise.resolve(
        ids.map((id) =>
          id === "u1"
            ? { id, image: null, error: { code: "image_duplicate", params: { twin: "img-0009" } } }
            : { id, image: { id: 5, label: "img-0005" }, error: null },
        ),
      );
    await intake.take();
    expect(intake.snapshot().cards.map((one) => [one.state, one.error?.code ?? null])).toEqual([
      ["ready", "image_duplicate"],
      ["taken", null],
    ]);
  });
});
