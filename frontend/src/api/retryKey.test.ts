import { describe, expect, it } from "vitest";
import { ApiError } from "./errors";
import { RetryKey } from "./retryKey";

/** Sends each request in turn and collects the keys; an error is what the server answers. */
async function keysOf(...tries: [request: unknown, error?: ApiError][]): Promise<string[]> {
  const retry = new RetryKey();
  const keys: string[] = [];
  for (const [request, error] of tries) {
    await retry
      .send(request, (key) => {
        keys.push(key);
        return error ? Promise.reject(error) : Promise.resolve();
      })
      .catch((reason: unknown) => expect(reason).toBe(error));
  }
  return keys;
}

/** The place of each key among the different ones: [0, 0, 1] means that the second try repeated the first key. */
async function pattern(...tries: [request: unknown, error?: ApiError][]): Promise<number[]> {
  const keys = await keysOf(...tries);
  const distinct = [...new Set(keys)];
  return keys.map((key) => distinct.indexOf(key));
}

const lost = new ApiError(0, "no_connection");
const busy = new ApiError(503, "server_failed");
const refused = new ApiError(422, "input_invalid");

describe("the key of a request", () => {
  it("is a UUID", async () => {
    expect(await keysOf([{ body: 1 }])).toEqual([expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)]);
  });

  it("stays while answers are lost, also over several tries", async () => {
    expect(await pattern([{ body: 1 }, lost], [{ body: 1 }, busy], [{ body: 1 }])).toEqual([0, 0, 0]);
  });

  it("is new after an answer, a refusal, and for another request", async () => {
    expect(await pattern([{ body: 1 }], [{ body: 1 }])).toEqual([0, 1]);
    expect(await pattern([{ body: 1 }, refused], [{ body: 1 }])).toEqual([0, 1]);
    expect(await pattern([{ body: 1 }, lost], [{ body: 2 }])).toEqual([0, 1]);
  });

  it("is shared by two equal requests at the same time", async () => {
    const retry = new RetryKey();
    const keys: string[] = [];
    const send = (key: string) => Promise.resolve(keys.push(key));
    await Promise.all([retry.send({ id: 1 }, send), retry.send({ id: 1 }, send)]);
    expect(keys[0]).toBe(keys[1]);
  });

  it("is not forgotten because another request was answered meanwhile", async () => {
    const retry = new RetryKey();
    const keys: string[] = [];
    let answer: (value: unknown) => void = () => undefined;
    const first = retry.send(1, () => new Promise((resolve) => (answer = resolve)));
    const lose = (key: string) => {
      keys.push(key);
      return Promise.reject(lost);
    };
    await expect(retry.send(2, lose)).rejects.toBe(lost);
    answer(null);
    await first;
    await expect(retry.send(2, lose)).rejects.toBe(lost);
    expect(keys[0]).toBe(keys[1]);
  });

  it("of a form depends on its fields and files", async () => {
    const form = (note: string, size = 1) => {
      const made = new FormData();
      made.set("note", note);
      made.set("file", new File(["x".repeat(size)], "a.json", { lastModified: 7 }));
      return { body: made };
    };
    expect(await pattern([form("a"), lost], [form("a"), lost], [form("b"), lost], [form("b", 2), lost])).toEqual([0, 0, 1, 2]);
  });
});
