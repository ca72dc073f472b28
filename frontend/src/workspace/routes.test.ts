import type { LoaderFunction } from "react-router";
import { describe, expect, it } from "vitest";
import { packageAt } from "./address";
import { routes } from "./routes";

const load = routes[0]?.loader as LoaderFunction;
const visit = async (path: string) =>
  (await load({ request: new Request(`http://localhost${path}`), params: {}, context: {} } as unknown as Parameters<typeof load>[0])) as Response;

describe("a link to the desk", () => {
  it.each(["/b/demo/work/9?item=4", "/b/demo/work/9/?item=4"])("%s loads its page", async (path) => {
    const answer = await visit(path);
    expect(answer.headers.get("Location")).toBe("/b/demo/work/9?item=4");
    expect(answer.headers.get("X-Remix-Reload-Document")).toBe("true");
  });

  it.each(["/b/demo/work/nine", "/b/d%C3%A9mo/work/9"])("%s is no page, and asked for once", async (path) => {
    await expect(visit(path)).rejects.toMatchObject({ status: 404 });
  });

  it("names its package", () => {
    expect([packageAt("/b/demo/work/12"), packageAt("/b/demo/packages/12")]).toEqual([12, null]);
  });
});
