import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DraftSaver, type DraftResult, type DraftRequest, type DraftState } from "./draftSaver";

type Content = string[];
interface Finding {
  code: string;
}

function setUp(options: { seq?: number; now?: number } = {}) {
  const requests: DraftRequest<Content>[] = [];
  const answers: { resolve: (answer: DraftResult<Finding>) => void; reject: (error: unknown) => void }[] = [];
  const kept: { draft: DraftRequest<Content> | null } = { draft: null };
  const states: DraftState[] = [];
  const found: [Finding[], Content][] = [];
  const saver = new DraftSaver<Content, Finding>({
    baseNo: 2,
    seq: options.seq ?? 0,
    clock: () => options.now ?? 0,
    put: (request) => {
      requests.push(request);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
    mirror: {
      put: (draft) => {
        kept.draft = draft;
        return Promise.resolve();
      },
      remove: () => {
        kept.draft = null;
        return Promise.resolve();
      },
    },
    onFindings: (findings, content) => found.push([findings, content]),
    onState: (state) => states.push(state),
  });
  const answer = async (index: number, seq: number, findings: Finding[] = []) => {
    answers[index]?.resolve({ seq, findings, saved_at: "2026-01-01T00:00:00Z" });
    await vi.advanceTimersByTimeAsync(0);
  };
  const fail = async (index: number, error: unknown) => {
    answers[index]?.reject(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { saver, requests, answer, fail, kept, states, found };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a draft while someone types", () => {
  test("is sent once, 400 ms after the last key, with the number of the last edit", async () => {
    const { saver, requests } = setUp({ seq: 7 });
    saver.edit(["舞"]);
    await vi.advanceTimersByTimeAsync(399);
    saver.edit(["舞狮"]);
    await vi.advanceTimersByTimeAsync(399);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toEqual([{ base_no: 2, seq: 9, content: ["舞狮"] }]);
  });

  test("has one request in flight; what is typed meanwhile follows after the answer", async () => {
    const { saver, requests, answer, found } = setUp();
    saver.edit(["一"]);
    await vi.advanceTimersByTimeAsync(400);
    saver.edit(["一二"]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(requests).toHaveLength(1);
    await answer(0, 1, [{ code: "caption_too_short" }]);
    expect(found).toEqual([[[{ code: "caption_too_short" }], ["一"]]]);
    expect(saver.state.phase).toBe("unsaved");
    await vi.advanceTimersByTimeAsync(400);
    expect(requests[1]).toEqual({ base_no: 2, seq: 2, content: ["一二"] });
    await answer(1, 2);
    expect(saver.state).toEqual({ phase: "saved", savedAt: "2026-01-01T00:00:00Z", failure: null });
  });

  test("is numbered by the clock, so that the window typed in last wins", async () => {
    const { saver, requests } = setUp({ seq: 7, now: 1_000 });
    saver.edit(["一"]);
    saver.edit(["一二"]);
    await vi.advanceTimersByTimeAsync(400);
    expect(requests[0]?.seq).toBe(1_001);
  });

  test("stays in the browser until the server has acknowledged it", async () => {
    const { saver, answer, kept } = setUp();
    saver.edit(["一"]);
    expect(kept.draft).toEqual({ base_no: 2, seq: 1, content: ["一"] });
    await vi.advanceTimersByTimeAsync(400);
    expect(kept.draft).not.toBeNull();
    await answer(0, 1);
    expect(kept.draft).toBeNull();
  });

  test("waits out a lost connection with growing pauses and then sends the newest text", async () => {
    const { saver, requests, answer, fail } = setUp();
    saver.edit(["一"]);
    await vi.advanceTimersByTimeAsync(400);
    await fail(0, new TypeError("Failed to fetch"));
    expect(saver.state.phase).toBe("waiting");
    saver.edit(["一二"]);
    await vi.advanceTimersByTimeAsync(999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests[1]).toEqual({ base_no: 2, seq: 2, content: ["一二"] });
    await fail(1, { status: 503, code: "unavailable" });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(requests).toHaveLength(3);
    await answer(2, 2);
    expect(saver.state.phase).toBe("saved");
  });

  test("after the session ended it is kept, and flush sends it once signed in again", async () => {
    const { saver, requests, answer, fail, kept } = setUp();
    saver.edit(["一"]);
    await vi.advanceTimersByTimeAsync(400);
    await fail(0, { status: 401, code: "not_signed_in" });
    expect(saver.state.phase).toBe("signed_out");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(requests).toHaveLength(1);
    expect(kept.draft?.content).toEqual(["一"]);
    void saver.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(requests[1]?.content).toEqual(["一"]);
    await answer(1, 1);
    expect(saver.state.phase).toBe("saved");
  });

  test("numbered below another window's draft it is sent again above it", async () => {
    const { saver, requests, answer } = setUp();
    saver.edit(["一"]);
    await vi.advanceTimersByTimeAsync(400);
    await answer(0, 5);
    await vi.advanceTimersByTimeAsync(0);
    expect(requests[1]).toEqual({ base_no: 2, seq: 6, content: ["一"] });
    await answer(1, 6);
    expect(saver.state.phase).toBe("saved");
  });

  test("on a stale base it stops and says so", async () => {
    const { saver, requests, fail } = setUp();
    saver.edit(["一"]);
    await vi.advanceTimersByTimeAsync(400);
    await fail(0, { status: 409, code: "stale_revision", body: { theirs: 3 } });
    expect(saver.state.phase).toBe("stale");
    expect(saver.state.failure?.body).toEqual({ theirs: 3 });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(requests).toHaveLength(1);
  });

  test("submitted, it forgets the browser's copy and sends nothing more", async () => {
    const { saver, requests, kept } = setUp();
    saver.edit(["一"]);
    await saver.finish();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toEqual([]);
    expect(kept.draft).toBeNull();
  });

  test("settled waits for the request on its way", async () => {
    const { saver, answer } = setUp();
    saver.edit(["一"]);
    await vi.advanceTimersByTimeAsync(400);
    let settled = false;
    void saver.settled().then(() => (settled = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toBe(false);
    await answer(0, 1);
    expect(settled).toBe(true);
  });
});
