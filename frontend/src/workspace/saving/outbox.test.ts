import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deleteBrowserStore } from "@/testing/browserStore";
import { browserOutbox, draftMirror, localDraft, memoryOutbox } from "./browserStore";
import { Outbox, type OutboxEntry, type OutboxStorage } from "./outbox";

interface Content {
  captions: string[];
}
interface Answer {
  revision_no: number;
}

const content = (text: string): Content => ({ captions: [text] });

function entry(key: string, changes: Partial<OutboxEntry<Content>> = {}): OutboxEntry<Content> {
  return {
    key,
    personId: 1,
    packageId: 9,
    itemId: 100,
    position: 1,
    label: "cap-000100",
    baseNo: 0,
    content: content(key),
    reasons: {},
    activeMs: null,
    guideline: null,
    leftOut: null,
    wasOpen: true,
    queuedAt: 1,
    state: "waiting",
    attempts: 0,
    failure: null,
    ...changes,
  };
}

function setUp(storage: OutboxStorage<Content> = memoryOutbox<Content>()) {
  const sent: OutboxEntry<Content>[] = [];
  const answers: { resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  const delivered: string[] = [];
  const outbox = new Outbox<Content, Answer>({
    personId: 1,
    storage,
    send: (candidate) => {
      sent.push(candidate);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
    onDelivered: (done) => delivered.push(done.key),
  });
  const answer = async (index: number, revision: number) => {
    answers[index]?.resolve({ revision_no: revision });
    await vi.advanceTimersByTimeAsync(0);
  };
  const fail = async (index: number, error: unknown) => {
    answers[index]?.reject(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { outbox, storage, sent, answer, fail, delivered };
}

function fakeTimeForEach(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

describe("the outbox", () => {
  fakeTimeForEach();

  test("keeps an entry before it sends it and forgets it after the answer", async () => {
    const { outbox, storage, sent, answer, delivered } = setUp();
    await outbox.add(entry("a"));
    await vi.advanceTimersByTimeAsync(0);
    expect((await storage.all(1)).map((kept) => kept.key)).toEqual(["a"]);
    expect(sent.map((one) => one.key)).toEqual(["a"]);
    expect(outbox.snapshot()).toMatchObject({ phase: "sending", waiting: 1 });
    await answer(0, 1);
    expect(await storage.all(1)).toEqual([]);
    expect(delivered).toEqual(["a"]);
    expect(outbox.snapshot()).toMatchObject({ phase: "idle", waiting: 0 });
  });

  test("counts an entry as waiting from the first moment, and sends it only once the browser holds it", async () => {
    const storage = memoryOutbox<Content>();
    let keep: () => void = () => undefined;
    const slow = { ...storage, put: (one: OutboxEntry<Content>) => new Promise<void>((done) => (keep = done)).then(() => storage.put(one)) };
    const { outbox, sent } = setUp(slow);
    const added = outbox.add(entry("a"));
    expect(outbox.snapshot()).toMatchObject({ waiting: 1, entries: [{ key: "a" }] });
    outbox.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([]);
    expect(outbox.snapshot()).toMatchObject({ waiting: 1, entries: [{ key: "a" }] });
    keep();
    await added;
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.map((one) => one.key)).toEqual(["a"]);
    expect(outbox.snapshot()).toMatchObject({ waiting: 1, entries: [{ key: "a" }] });
  });

  test("sends in order, one at a time", async () => {
    const { outbox, sent, answer } = setUp();
    await outbox.add(entry("a", { itemId: 1, queuedAt: 1 }));
    await outbox.add(entry("b", { itemId: 2, queuedAt: 2 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.map((one) => one.key)).toEqual(["a"]);
    await answer(0, 1);
    expect(sent.map((one) => one.key)).toEqual(["a", "b"]);
  });

  test("retries the same key with growing pauses while there is no connection", async () => {
    const { outbox, sent, answer, fail } = setUp();
    await outbox.add(entry("a"));
    await vi.advanceTimersByTimeAsync(0);
    await fail(0, new TypeError("Failed to fetch"));
    expect(outbox.snapshot()).toMatchObject({ phase: "offline", waiting: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    await fail(1, { status: 502, code: "bad_gateway" });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    await answer(2, 1);
    expect(sent.map((one) => one.key)).toEqual(["a", "a", "a"]);
    expect(outbox.snapshot()).toMatchObject({ phase: "idle", waiting: 0 });
  });

  test("wakes at once when the browser is online again", async () => {
    const { outbox, sent, fail } = setUp();
    await outbox.add(entry("a"));
    await vi.advanceTimersByTimeAsync(0);
    await fail(0, new TypeError("Failed to fetch"));
    outbox.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(2);
  });

  test("keeps everything when the session has ended and continues when told", async () => {
    const { outbox, storage, sent, fail, answer } = setUp();
    await outbox.add(entry("a"));
    await vi.advanceTimersByTimeAsync(0);
    await fail(0, { status: 401, code: "not_signed_in" });
    expect(outbox.snapshot().phase).toBe("signed_out");
    await vi.advanceTimersByTimeAsync(300_000);
    expect(sent).toHaveLength(1);
    expect(await storage.all(1)).toHaveLength(1);
    outbox.wake();
    await vi.advanceTimersByTimeAsync(0);
    await answer(1, 1);
    expect(outbox.snapshot()).toMatchObject({ phase: "idle", waiting: 0 });
  });
});

describe("what the outbox cannot deliver", () => {
  fakeTimeForEach();

  test("sends again what was refused for a reason that is gone, and nothing else", async () => {
    const { outbox, sent, fail, answer } = setUp();
    await outbox.add(entry("a", { itemId: 1, queuedAt: 1 }));
    await outbox.add(entry("b", { itemId: 2, queuedAt: 2 }));
    await vi.advanceTimersByTimeAsync(0);
    await fail(0, { status: 403, code: "consent_missing" });
    await fail(1, { status: 422, code: "content_refused" });
    expect(outbox.snapshot().entries.map((one) => one.state)).toEqual(["refused", "refused"]);
    await outbox.retryRefused("consent_missing");
    await vi.advanceTimersByTimeAsync(0);
    await answer(2, 1);
    expect(sent.map((one) => one.key)).toEqual(["a", "b", "a"]);
    expect(outbox.snapshot().entries.map((one) => [one.key, one.state])).toEqual([["b", "refused"]]);
  });

  test("puts a stale entry aside with both versions and delivers the others", async () => {
    const { outbox, sent, fail, answer } = setUp();
    await outbox.add(entry("a", { itemId: 1, queuedAt: 1 }));
    await outbox.add(entry("b", { itemId: 2, queuedAt: 2 }));
    await vi.advanceTimersByTimeAsync(0);
    const body = { code: "stale_revision", mine: {}, theirs: { no: 2 }, base: {} };
    await fail(0, { status: 409, code: "stale_revision", body });
    await answer(1, 1);
    expect(sent.map((one) => one.key)).toEqual(["a", "b"]);
    const [kept] = outbox.snapshot().entries;
    expect(kept).toMatchObject({ key: "a", state: "conflict", failure: { kind: "stale", body } });
    expect(outbox.snapshot().waiting).toBe(0);
  });

  test("keeps what the server refused, with its reason, and does not send it again", async () => {
    const { outbox, sent, fail } = setUp();
    await outbox.add(entry("a"));
    await vi.advanceTimersByTimeAsync(0);
    await fail(0, { status: 422, code: "content_refused", params: { findings: [] }, body: null });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(sent).toHaveLength(1);
    expect(outbox.snapshot().entries[0]).toMatchObject({ state: "refused", failure: { code: "content_refused" } });
  });

  test("a newer text of an item replaces the one that still waits", async () => {
    const { outbox, storage, fail } = setUp();
    await outbox.add(entry("a"));
    await vi.advanceTimersByTimeAsync(0);
    await fail(0, new TypeError("Failed to fetch"));
    await outbox.add(entry("a2", { queuedAt: 2 }));
    expect((await storage.all(1)).map((kept) => kept.key)).toEqual(["a2"]);
  });

  test("a newer text of an item whose first is on its way is based on the answer", async () => {
    const { outbox, sent, answer } = setUp();
    await outbox.add(entry("a", { baseNo: 3 }));
    await vi.advanceTimersByTimeAsync(0);
    await outbox.add(entry("a2", { baseNo: 3, queuedAt: 2 }));
    await answer(0, 4);
    expect(sent[1]).toMatchObject({ key: "a2", baseNo: 4 });
    await answer(1, 5);
    expect(outbox.snapshot().entries).toEqual([]);
  });
});

describe("the outbox beside other tabs and persons", () => {
  fakeTimeForEach();

  test("a text of another tab neither replaces nor follows this one's: it meets the server as it is", async () => {
    const { outbox, storage, sent, answer, fail } = setUp();
    await outbox.add(entry("a", { baseNo: 3, line: "one tab" }));
    await vi.advanceTimersByTimeAsync(0);
    await outbox.add(entry("b", { baseNo: 3, line: "another tab", queuedAt: 2 }));
    await answer(0, 4);
    expect(sent[1]).toMatchObject({ key: "b", baseNo: 3 });
    await fail(1, new TypeError("Failed to fetch"));
    await outbox.add(entry("a2", { baseNo: 4, line: "one tab", queuedAt: 3 }));
    expect((await storage.all(1)).map((kept) => kept.key)).toEqual(["b", "a2"]);
  });

  test("leaves another person's entries alone", async () => {
    const storage = memoryOutbox<Content>();
    await storage.put(entry("theirs", { personId: 2 }));
    const { outbox, sent } = setUp(storage);
    await outbox.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toEqual([]);
    expect(outbox.snapshot().waiting).toBe(0);
    expect(await storage.all(2)).toHaveLength(1);
  });

  test("stopped while a draft settles, it sends nothing under the next person's session", async () => {
    const storage = memoryOutbox<Content>();
    const sent: string[] = [];
    let settle: () => void = () => undefined;
    const outbox = new Outbox<Content, Answer>({
      personId: 1,
      storage,
      before: () => new Promise((resolve) => (settle = resolve)),
      send: (candidate) => {
        sent.push(candidate.key);
        return Promise.resolve({ revision_no: 1 });
      },
    });
    await outbox.add(entry("a"));
    await vi.advanceTimersByTimeAsync(0);
    outbox.stop();
    settle();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual([]);
    expect(await storage.all(1)).toHaveLength(1);
  });

  test("while another tab delivers it only looks on", async () => {
    const storage = memoryOutbox<Content>();
    let free = false;
    const sent: string[] = [];
    const outbox = new Outbox<Content, Answer>({
      personId: 1,
      storage,
      send: (candidate) => {
        sent.push(candidate.key);
        return Promise.resolve({ revision_no: 1 });
      },
      exclusively: async (work) => {
        if (!free) return false;
        await work();
        return true;
      },
    });
    await outbox.add(entry("a"));
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([]);
    free = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toEqual(["a"]);
  });
});

describe("the browser's database", () => {
  afterEach(deleteBrowserStore);

  test("gives back one person's entries in the order they were submitted", async () => {
    const store = browserOutbox<Content>();
    await store.put(entry("second", { queuedAt: 20 }));
    await store.put(entry("first", { queuedAt: 10 }));
    await store.put(entry("other", { personId: 2, queuedAt: 5 }));
    expect((await store.all(1)).map((kept) => kept.key)).toEqual(["first", "second"]);
    await store.remove("first");
    expect((await store.all(1)).map((kept) => kept.key)).toEqual(["second"]);
  });

  test("an outbox opened after a reload delivers what the last visit left", async () => {
    await browserOutbox<Content>().put(entry("left", { content: content("两只舞狮") }));
    const sent: OutboxEntry<Content>[] = [];
    const outbox = new Outbox<Content, Answer>({
      personId: 1,
      storage: browserOutbox<Content>(),
      send: (candidate) => {
        sent.push(candidate);
        return Promise.resolve({ revision_no: 1 });
      },
    });
    await outbox.start();
    await vi.waitFor(() => expect(outbox.snapshot()).toMatchObject({ phase: "idle", entries: [] }));
    expect(sent[0]?.content).toEqual(content("两只舞狮"));
  });

  test("keeps one draft for each person and item until it is removed", async () => {
    const mirror = draftMirror<Content>(1, 100);
    await mirror.put({ base_no: 0, seq: 1, content: content("一") });
    await mirror.put({ base_no: 0, seq: 2, content: content("一二") });
    expect(await localDraft<Content>(1, 100)).toEqual({ base_no: 0, seq: 2, content: content("一二") });
    expect(await localDraft<Content>(2, 100)).toBeNull();
    await mirror.remove();
    expect(await localDraft<Content>(1, 100)).toBeNull();
  });
});
