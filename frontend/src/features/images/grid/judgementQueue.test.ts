import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import type { Image } from "@/api/types";
import type { Result } from "@/api/sendQueue";
import { JudgementQueue, type JudgementEntry } from "./judgementQueue";

type Outcome = Result<Image>;

const image = (id: number, verdict_no = 0) => ({ id, verdict_no, state: "received" }) as Image;
const ok = (entries: readonly JudgementEntry[]): Outcome[] => entries.map(({ work: { image } }) => ({ answer: { ...image, verdict_no: image.verdict_no + 1 }, error: null }));

function make(send: (entries: readonly JudgementEntry[]) => Promise<Outcome[]> = (entries) => Promise.resolve(ok(entries))) {
  const sent: JudgementEntry[][] = [];
  const judged: number[] = [];
  let key = 0;
  const queue = new JudgementQueue({
    send: (batch) => {
      sent.push([...batch]);
      return send(batch);
    },
    newKey: () => `k${++key}`,
  });
  queue.onJudged((images) => judged.push(...images.map((one) => one.id)));
  return { queue, sent, judged };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());
const accept = { outcome: "accepted" } as const;
const refuse = { outcome: "refused", reasons: ["watermark"] } as const;
const asRefusal = { ...refuse, reasons: [...refuse.reasons] };

describe("JudgementQueue", () => {
  it("sends after ten seconds, what was decided close together in one request", async () => {
    const { queue, sent, judged } = make();
    queue.add([image(1), image(2)], accept);
    await vi.advanceTimersByTimeAsync(600);
    queue.add([image(3)], asRefusal);
    await vi.advanceTimersByTimeAsync(9_300);
    expect(sent).toEqual([]);
    expect(queue.snapshot().decisions.get(3)?.verdict?.work.judgement).toEqual(refuse);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent.map((batch) => batch.map((one) => one.work.image.id))).toEqual([[1, 2, 3]]);
    expect(judged).toEqual([1, 2, 3]);
    expect(queue.snapshot().unsent).toBe(0);
  });

  it("takes a whole key press back, and only the newest", async () => {
    const { queue, sent } = make();
    queue.add([image(1)], accept);
    queue.add([image(2), image(3)], asRefusal);
    expect(queue.undo()).toEqual([2, 3]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent.map((batch) => batch.map((one) => one.work.image.id))).toEqual([[1]]);
    expect(queue.undo()).toEqual([]);
  });

  it("replaces a judgement that was not sent yet and keeps the mark apart from the verdict", async () => {
    const { queue, sent } = make();
    queue.add([image(1)], accept);
    queue.add([image(1)], { outcome: "clear" });
    queue.add([image(1)], asRefusal);
    expect(Object.keys(queue.snapshot().decisions.get(1) ?? {}).sort()).toEqual(["clear", "verdict"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent[0]?.map((one) => one.work.judgement.outcome)).toEqual(["clear", "refused"]);
  });

  it("keeps what someone else decided first beside its picture, and loses nothing of the others", async () => {
    const error = { code: "judged_meanwhile", params: { by: "王芳", outcome: "refused" } };
    const { queue, judged } = make((batch) => Promise.resolve(batch.map((one) => (one.work.image.id === 2 ? { answer: image(2, 1), error } : { answer: one.work.image, error: null }))));
    queue.add([image(1), image(2), image(3)], accept);
    await queue.flush();
    expect(judged).toEqual([1, 2, 3]);
    expect([...queue.snapshot().decisions]).toEqual([[2, { conflict: { judgement: accept, error } }]]);
    queue.add([image(2, 1)], accept);
    expect(queue.snapshot().decisions.get(2)?.conflict).toBeUndefined();
    queue.undo();
    queue.dismiss(2);
    expect(queue.snapshot().decisions.size).toBe(0);
  });

  it("waits out a lost connection and repeats under the same keys", async () => {
    let lost = true;
    const { queue, sent } = make((batch) => {
      if (!lost) return Promise.resolve(ok(batch));
      lost = false;
      return Promise.reject(new ApiError(0, "no_connection"));
    });
    queue.add([image(1)], accept);
    expect(await queue.flush()).toBe(false);
    expect(queue.snapshot().problem?.code).toBe("no_connection");
    expect(queue.snapshot().decisions.get(1)?.verdict?.state).toBe("waiting");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(sent.map((batch) => batch[0]?.key)).toEqual(["k1", "k1"]);
    expect(queue.snapshot()).toMatchObject({ unsent: 0, problem: null });
  });

  it("shows a refusal of the whole request at every picture of it", async () => {
    const { queue } = make(() => Promise.reject(new ApiError(403, "operation_not_allowed")));
    queue.add([image(1), image(2)], accept);
    await queue.flush();
    expect([...queue.snapshot().decisions.values()].map((one) => one.conflict?.error.code)).toEqual(["operation_not_allowed", "operation_not_allowed"]);
  });

  it("sends at most two hundred at once", async () => {
    const { queue, sent } = make();
    queue.add(
      Array.from({ length: 450 }, (_, i) => image(i + 1)),
      accept,
    );
    await queue.flush();
    expect(sent.map((batch) => batch.length)).toEqual([200, 200, 50]);
  });

  it("leaves alone what is known of a picture that did not change", () => {
    const { queue } = make();
    queue.add([image(1)], accept);
    const before = queue.snapshot().decisions.get(1);
    queue.add([image(2)], accept);
    expect(queue.snapshot().decisions.get(1)).toBe(before);
  });
});
