// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import type { Image } from "@/api/types";
import type { UploadTransport } from "@/api/upload";
import { formOf, missingFields, Uploads, type SharedFields } from "./uploads";

const fields: SharedFields = { source: "own", sourceUrl: "", author: "", licence: "CC0-1.0", category: "lion-dance" };
const file = (name: string) => new File(["x"], name, { type: "image/jpeg" });
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** A transport whose requests are answered by hand. */
function byHand() {
  const open: { name: string; key: string; resolve: (image: Image) => void; reject: (error: ApiError) => void; progress: (share: number) => void }[] = [];
  const send: UploadTransport = ({ form, onProgress }) =>
    new Promise((resolve, reject) => {
      open.push({ name: (form.get("file") as File).name, key: form.get("client_key") as string, resolve, reject, progress: onProgress });
    });
  return { open, send };
}

const image = (id: number) => ({ id, label: `img-000${id}` }) as Image;
const states = (uploads: Uploads) => uploads.snapshot().map((upload) => upload.state);

describe("Uploads", () => {
  it("waits until it is told to start", () => {
    const { open, send } = byHand();
    const uploads = new Uploads("b", send);
    uploads.add([file("1.jpg")]);
    expect(states(uploads)).toEqual(["ready"]);
    expect(open).toHaveLength(0);
    expect(uploads.isBusy).toBe(false);
  });

  it("sends three at a time, in order", async () => {
    const { open, send } = byHand();
    const uploads = new Uploads("b", send);
    uploads.add(["1", "2", "3", "4", "5"].map(file));
    uploads.start(fields);
    expect(open.map((request) => request.name)).toEqual(["1", "2", "3"]);
    open[1]?.resolve(image(2));
    await settle();
    expect(open.map((request) => request.name)).toEqual(["1", "2", "3", "4"]);
    expect(states(uploads)).toEqual(["sending", "done", "sending", "sending", "queued"]);
    expect(uploads.isBusy).toBe(true);
  });

  it("goes on with the others when one is refused, and keeps why", async () => {
    const { open, send } = byHand();
    const done = vi.fn();
    const uploads = new Uploads("b", send, done);
    uploads.add([file("1"), file("2")]);
    uploads.start(fields);
    open[0]?.reject(new ApiError(409, "image_duplicate", { twin: "img-0007", twin_id: 7 }));
    open[1]?.resolve(image(8));
    await settle();
    expect(states(uploads)).toEqual(["refused", "done"]);
    expect(uploads.snapshot()[0]?.error?.params).toEqual({ twin: "img-0007", twin_id: 7 });
    expect(done).toHaveBeenCalledExactlyOnceWith(image(8));
  });

  it("repeats a lost upload with the same key", async () => {
    const { open, send } = byHand();
    const uploads = new Uploads("b", send);
    uploads.add([file("1")]);
    uploads.start(fields);
    open[0]?.reject(new ApiError(0, "no_connection"));
    await settle();
    expect(states(uploads)).toEqual(["failed"]);
    uploads.retry(uploads.snapshot()[0]?.clientKey ?? "", fields);
    expect(open[1]?.key).toBe(open[0]?.key);
  });

  it("sends a refused file under a new key, for its details may differ now", async () => {
    const { open, send } = byHand();
    const uploads = new Uploads("b", send);
    uploads.add([file("1")]);
    uploads.start(fields);
    open[0]?.reject(new ApiError(422, "licence_not_allowed"));
    await settle();
    uploads.retry(uploads.snapshot()[0]?.clientKey ?? "", { ...fields, licence: "MIT" });
    expect(open[1]?.key).not.toBe(open[0]?.key);
    expect(states(uploads)).toEqual(["sending"]);
  });

  it("reports progress and takes a file off the list", () => {
    const { open, send } = byHand();
    const uploads = new Uploads("b", send);
    uploads.add([file("1")]);
    uploads.start(fields);
    open[0]?.progress(0.5);
    expect(uploads.snapshot()[0]?.progress).toBe(0.5);
    uploads.remove(uploads.snapshot()[0]?.clientKey ?? "");
    expect(uploads.snapshot()).toEqual([]);
  });
});

describe("formOf", () => {
  it("names an address only for pictures from elsewhere", () => {
    const own = formOf(file("a.jpg"), { ...fields, sourceUrl: "https://left.over" }, "key");
    expect(own.has("source_url")).toBe(false);
    const external = formOf(file("a.jpg"), { ...fields, source: "external", sourceUrl: " https://e.org/a ", author: " Li " }, "key");
    expect([external.get("source_url"), external.get("author"), external.get("client_key")]).toEqual(["https://e.org/a", "Li", "key"]);
  });
});

describe("missingFields", () => {
  it("wants an address and an author for pictures from elsewhere only", () => {
    expect(missingFields(fields)).toEqual([]);
    expect(missingFields({ ...fields, source: "external", sourceUrl: "javascript:alert(1)" })).toEqual(["sourceUrl", "author"]);
    expect(missingFields({ ...fields, licence: "", category: "" })).toEqual(["licence", "category"]);
  });
});
