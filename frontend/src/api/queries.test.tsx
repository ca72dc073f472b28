import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { serve } from "@/testing/server";
import { makeQueryClient, useRead, useWrite } from "./queries";

afterEach(cleanup);

const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={makeQueryClient()}>{children}</QueryClientProvider>;

describe("a write", () => {
  it("carries a client key, the same one when it is sent again after a lost answer", async () => {
    let status = 503;
    const server = serve({ "POST /api/v1/teams/3/close": () => ({ status, body: {} }) });
    const { result } = renderHook(() => useWrite("team_close"), { wrapper });
    act(() => result.current.mutate({ path: { id: 3 } }));
    await waitFor(() => expect(result.current.error?.status).toBe(503));
    status = 200;
    act(() => result.current.mutate({ path: { id: 3 } }));
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    act(() => result.current.mutate({ path: { id: 3 } }));
    await waitFor(() => expect(server.asked).toHaveLength(3));
    const keys = server.asked.map(({ body }) => (body as { client_key: string }).client_key);
    expect(server.asked[0]?.body).toEqual({ client_key: keys[0] });
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it("puts the key into a form beside its fields", async () => {
    const server = serve({ "POST /api/v1/benchmarks/b/imports": { body: {} } });
    const { result } = renderHook(() => useWrite("import_create"), { wrapper });
    const body = new FormData();
    body.set("kind", "captions");
    act(() => result.current.mutate({ path: { b: "b" }, body }));
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    expect([...(server.asked[0]?.body as FormData)]).toEqual([
      ["kind", "captions"],
      ["client_key", expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ]);
  });

  it("has no key where the operation takes none", async () => {
    const server = serve({ "POST /api/v1/benchmarks/b/uploads/describe": { body: [] } });
    const { result } = renderHook(() => useWrite("upload_describe"), { wrapper });
    act(() => result.current.mutate({ path: { b: "b" }, body: { ids: [], details: {} } }));
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    expect(server.asked[0]?.body).toEqual({ ids: [], details: {} });
  });
});

describe("a fresh read", () => {
  it("fetches again what it had before another request, however new the answer is", async () => {
    const server = serve({
      "GET /api/v1/items/1/peer": { body: { id: 1 } },
      "GET /api/v1/items/2/peer": { body: { id: 2 } },
    });
    const client = makeQueryClient();
    const { result, rerender } = renderHook(({ id }) => useRead("peer_item_show", { path: { id } }, { fresh: true }), {
      initialProps: { id: 1 },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    });
    for (const id of [1, 2, 1]) {
      rerender({ id });
      await waitFor(() => expect(result.current.data?.id).toBe(id));
    }
    expect(server.asked).toHaveLength(3);
  });
});

describe("a read of a benchmark's page", () => {
  afterEach(() => window.history.replaceState(null, "", "/"));

  it.each([
    ["/b/x/items/5", "x"],
    ["/account", undefined],
    ["/submit/x", undefined],
  ])("names the benchmark in the address: %s", async (address, benchmark) => {
    window.history.replaceState(null, "", address);
    serve({ "GET /api/v1/items/5": { body: {} } });
    const { result } = renderHook(() => useRead("item_show", { path: { id: 5 } }), { wrapper });
    await waitFor(() => expect(result.current.isSuccess).toBe(true));
    const [, init] = (fetch as unknown as { mock: { calls: [string, RequestInit][] } }).mock.calls[0] ?? [];
    expect((init?.headers as Record<string, string>)["X-Benchmark"]).toBe(benchmark);
  });
});
