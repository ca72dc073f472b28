import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import type { Image } from "@/api/types";
import { HeldJudgements, type HeldJudgement, type Outcome } from "./heldJudgements";

const image = (id: number, verdict_no = 0) => ({ id, verdict_no, state: "received" }) as Image;
const ok = (held: readonly HeldJudgement[]): Outcome[] => held.map((one) => ({ image: { ...one.image, verdict_no: one.image.verdict_no + 1 }, error: null }));

function make(send: (held: readonly HeldJudgement[]) => Promise<Outcome[]> = (held) => Promise.resolve(ok(held))) {
  const sent: HeldJudgement[][] = [];
  const judged: number[] = [];
  let key = 0;
  const held = new HeldJudgements({
    send: (batch) => {
      sent.push([...batch]);
      return send(batch);
    },
    newKey: () => `k${++key}`,
  });
  held.onJudged((images) => judged.push(...images.map((one) => one.id)));
  return { held, sent, judged };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());
const accept = { outcome: "accepted" } as const;
const refuse = { outcome: "refused", reasons: ["watermark"] } as const;
const asRefusal = { ...refuse, reasons: [...refuse.reasons] };

describe("HeldJudgements", () => {
  it("sends after ten seconds, what was decided close together in one request", async () => {
    const { held, sent, judged } = make();
    held.hold([image(1), image(2)], accept);
    await vi.advanceTimersByTimeAsync(600);
    held.hold([image(3)], asRefusal);
    await vi.advanceTimersByTimeAsync(9_300);
    expect(sent).toEqual([]);
    expect(held.snapshot().decisions.get(3)?.verdict?.judgement).toEqual(refuse);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent.map((batch) => batch.map((one) => one.image.id))).toEqual([[1, 2, 3]]);
    expect(judged).toEqual([1, 2, 3]);
    expect(held.snapshot().unsent).toBe(0);
  });

  it("takes a whole key press back, and only the newest", async () => {
    const { held, sent } = make();
    held.hold([image(1)], accept);
    held.hold([image(2), image(3)], asRefusal);
    expect(held.undo()).toEqual([2, 3]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent.map((batch) => batch.map((one) => one.image.id))).toEqual([[1]]);
    expect(held.undo()).toEqual([]);
  });

  it("replaces a judgement that was not sent yet and keeps the mark apart from the verdict", async () => {
    const { held, sent } = make();
    held.hold([image(1)], accept);
    held.hold([image(1)], { outcome: "clear" });
    held.hold([image(1)], asRefusal);
    expect(Object.keys(held.snapshot().decisions.get(1) ?? {}).sort()).toEqual(["clear", "verdict"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent[0]?.map((one) => one.judgement.outcome)).toEqual(["clear", "refused"]);
  });

  it("keeps what somebody else decided first beside its picture, and loses nothing of the others", async () => {
    const error = { code: "judged_meanwhile", params: { by: "王芳", outcome: "refused" } };
    const { held, judged } = make((batch) => Promise.resolve(batch.map((one) => (one.image.id === 2 ? { image: image(2, 1), error } : { image: one.image, error: null }))));
    held.hold([image(1), image(2), image(3)], accept);
    await held.flush();
    expect(judged).toEqual([1, 2, 3]);
    expect([...held.snapshot().decisions]).toEqual([[2, { conflict: { judgement: accept, error } }]]);
    held.hold([image(2, 1)], accept);
    expect(held.snapshot().decisions.get(2)?.conflict).toBeUndefined();
    held.undo();
    held.dismiss(2);
    expect(held.snapshot().decisions.size).toBe(0);
  });

  it("waits out a lost connection and repeats under the same keys", async () => {
    let lost = true;
    const { held, sent } = make((batch) => {
      if (!lost) return Promise.resolve(ok(batch));
      lost = false;
      return Promise.reject(new ApiError(0, "no_connection"));
    });
    held.hold([image(1)], accept);
    expect(await held.flush()).toBe(false);
    expect(held.snapshot().problem?.code).toBe("no_connection");
    expect(held.snapshot().decisions.get(1)?.verdict?.state).toBe("waiting");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(sent.map((batch) => batch[0]?.key)).toEqual(["k1", "k1"]);
    expect(held.snapshot()).toMatchObject({ unsent: 0, problem: null });
  });

  it("shows a refusal of the whole request at every picture of it", async () => {
    const { held } = make(() => Promise.reject(new ApiError(403, "operation_not_allowed")));
    held.hold([image(1), image(2)], accept);
    await held.flush();
    expect([...held.snapshot().decisions.values()].map((one) => one.conflict?.error.code)).toEqual(["operation_not_allowed", "operation_not_allowed"]);
  });

  it("sends at most two hundred at once", async () => {
    const { held, sent } = make();
    held.hold(
      Array.from({ length: 450 }, (_, i) => image(i + 1)),
      accept,
    );
    await held.flush();
    expect(sent.map((batch) => batch.length)).toEqual([200, 200, 50]);
  });

  it("leaves alone what is known of a picture that did not change", () => {
    const { held } = make();
    held.hold([image(1)], accept);
    const before = held.snapshot().decisions.get(1);
    held.hold([image(2)], accept);
    expect(held.snapshot().decisions.get(1)).toBe(before);
  });
});
