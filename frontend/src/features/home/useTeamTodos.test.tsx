import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import { curatorReplies, spotChecks } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { useTeamTodos } from "./useTeamTodos";

afterEach(() => vi.unstubAllGlobals());

const ADDRESS = "/api/v1/benchmarks/x/spot-checks";

function Shown() {
  return <p data-testid="todos">{useTeamTodos("x").map(({ name, count }) => `${name} ${count}`).join(", ")}</p>;
}

function SignedIn() {
  return useSession().data ? <Shown /> : null;
}

async function open(toJudge: number) {
  const all = spotChecks({ to_judge: toJudge });
  const { asked } = serve({
    ...curatorReplies(),
    [`GET ${ADDRESS}`]: ({ query }) => ({ body: query.get("preview") === "true" ? all : { ...all, preview: [] } }),
  });
  await renderScreen(<SignedIn />, { at: "/b/x", path: "/b/:slug" });
  await screen.findByTestId("todos");
  return () => asked.filter(({ path }) => path === ADDRESS).map(({ query }) => query.get("preview"));
}

test("what a draw would take is counted where no drawn item waits", async () => {
  const asked = await open(0);
  await waitFor(() => expect(screen.getByTestId("todos").textContent).toBe("spot_draw 25"));
  expect(asked()).toEqual([null, "true"]);
});

test("it is not counted while drawn items wait", async () => {
  const asked = await open(4);
  await waitFor(() => expect(screen.getByTestId("todos").textContent).toBe("spot_judge 4"));
  expect(asked()).toEqual([null]);
});
