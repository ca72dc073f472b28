import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Store } from "./store";
import { useStore } from "./useStore";

interface Counts {
  readonly files: number;
  readonly bytes: number;
}

class CountStore extends Store<Counts> {
  add(bytes: number): void {
    const { files } = this.snapshot();
    this.set({ files: files + 1, bytes });
  }
  measure(bytes: number): void {
    this.patch({ bytes });
  }
}

const make = () => new CountStore({ files: 0, bytes: 0 });

afterEach(cleanup);

describe("a store", () => {
  it("tells of each change and keeps its state in between", () => {
    const store = make();
    const listener = vi.fn();
    const unsubscribe = store.subscribe(listener);
    const before = store.snapshot();
    expect(store.snapshot()).toBe(before);
    store.add(5);
    store.measure(7);
    expect(store.snapshot()).toEqual({ files: 1, bytes: 7 });
    expect(before).toEqual({ files: 0, bytes: 0 });
    unsubscribe();
    store.add(1);
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe("useStore", () => {
  it("renders again with each state", () => {
    const store = make();
    const { result } = renderHook(() => useStore(store));
    act(() => store.add(3));
    expect(result.current).toEqual({ files: 1, bytes: 3 });
  });

  it("renders again only when the selected part has changed", () => {
    const store = make();
    let renders = 0;
    const { result } = renderHook(() => {
      renders += 1;
      return useStore(store, ({ files }) => files);
    });
    act(() => store.measure(9));
    expect([result.current, renders]).toEqual([0, 1]);
    act(() => store.add(1));
    expect([result.current, renders]).toEqual([1, 2]);
  });

  it("stops listening with its component", () => {
    const store = make();
    const { unmount } = renderHook(() => useStore(store));
    unmount();
    expect(() => store.add(1)).not.toThrow();
  });
});
