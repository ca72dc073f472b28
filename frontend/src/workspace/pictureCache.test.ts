import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LATER_MS, PictureCache } from "./pictureCache";

let fetched: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  fetched = [];
  vi.stubGlobal(
    "Image",
    class {
      decoding = "";
      address = "";
      set src(address: string) {
        this.address = address;
        fetched.push(address);
      }
      decode() {
        return this.address === "broken" ? Promise.reject(new Error("not a picture")) : Promise.resolve();
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the open picture comes first, the others after it, later ones while the person looks at what came", async () => {
  const ready = vi.fn();
  const cache = new PictureCache(ready);
  cache.want("a", ["b", "c", "d"]);
  expect(fetched).toEqual(["a"]);
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toEqual(["a", "b", "c", "d"]);
  expect(ready).toHaveBeenCalledTimes(4);
  cache.want("b", ["c", "d", "e"]);
  expect(fetched).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(LATER_MS);
  expect(fetched.slice(4)).toEqual(["e"]);
  expect(cache.isReady("e")).toBe(true);
});

test("quick submissions do not put off what is fetched for them", async () => {
  const cache = new PictureCache(() => undefined);
  cache.want("a", ["b", "c", "d"]);
  await vi.advanceTimersByTimeAsync(0);
  cache.want("b", ["c", "d", "e"]);
  await vi.advanceTimersByTimeAsync(LATER_MS - 1);
  cache.want("c", ["d", "e", "f"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched.slice(4)).toEqual(["e"]);
});

test("what was just shown is kept, older pictures are given up", async () => {
  const cache = new PictureCache(() => undefined);
  for (const open of ["a", "b", "c", "d", "e", "f"]) cache.want(open, []);
  await vi.advanceTimersByTimeAsync(0);
  expect(["a", "b", "f"].map((address) => cache.isReady(address))).toEqual([false, true, true]);
});

test("a picture that cannot be decoded is tried again when it is wanted again", async () => {
  const cache = new PictureCache(() => undefined);
  cache.want("a", ["broken"]);
  await vi.advanceTimersByTimeAsync(0);
  cache.want("broken", []);
  expect(fetched).toEqual(["a", "broken", "broken"]);
});
