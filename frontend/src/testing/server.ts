/** A stand-in for the server: answers per "METHOD /path", and a record of what was asked. */
import { vi } from "vitest";

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

type Reply = { status?: number; body?: unknown; headers?: Record<string, string> } | ((asked: Asked) => { status?: number; body?: unknown });

export function serve(replies: Record<string, Reply>): { asked: Asked[]; replies: Record<string, Reply> } {
  const asked: Asked[] = [];
  const state = { asked, replies };
  vi.stubGlobal(
    "fetch",
    vi.fn((address: string, init: RequestInit = {}) => {
      const url = new URL(address, "http://localhost");
      const request: Asked = {
        method: init.method ?? "GET",
        path: url.pathname,
        query: url.searchParams,
        body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : init.body,
      };
      asked.push(request);
      const reply = state.replies[`${request.method} ${request.path}`];
      if (reply === undefined) {
        return Promise.resolve(new Response(JSON.stringify({ code: "not_found", params: {}, detail: "" }), { status: 404 }));
      }
      const { status = 200, body = null, headers } = typeof reply === "function" ? { ...reply(request), headers: undefined } : reply;
      return Promise.resolve(new Response(status === 204 ? null : JSON.stringify(body), { status, headers: headers ?? {} }));
    }),
  );
  return state;
}
