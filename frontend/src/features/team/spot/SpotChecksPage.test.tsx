import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { SpotChecks } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { curatorReplies, spotCheck, spotChecks, teamResult } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { SpotChecksPage } from "./SpotChecksPage";

afterEach(() => vi.unstubAllGlobals());

function SignedIn() {
  return useSession().data ? (
    <>
      <SpotChecksPage />
      <KeySheets />
    </>
  ) : null;
}

const ADDRESS = "/api/v1/benchmarks/x/spot-checks";

async function open(checks: Partial<SpotChecks> = {}, replies: Parameters<typeof serve>[0] = {}) {
  const server = serve({ ...curatorReplies(), [`GET ${ADDRESS}`]: { body: spotChecks(checks) }, ...replies });
  const view = await renderScreen(<SignedIn />, { at: "/b/x/team/spot-checks", path: "/b/:slug/team/spot-checks" });
  await screen.findByRole("heading", { level: 1, name: "Spot checks" });
  const posts = () => server.asked.filter(({ method }) => method === "POST");
  return { ...view, server, posts, keys: userEvent.setup({ delay: null }), at: () => view.router.state.location };
}

test("says what the next draw takes from each team before it is drawn", async () => {
  const { keys, posts, server } = await open({ to_judge: 0 });
  const rows = within(await screen.findByTestId("preview")).getAllByRole("row").map((row) => row.textContent);
  expect(rows.slice(1)).toEqual(["Egypt213", "Sichuan41"]);
  expect(screen.getByTestId("draw").textContent).toContain("Draw 4 items");
  expect(posts()).toEqual([]);
  expect(server.asked.filter(({ path }) => path === ADDRESS).map(({ query }) => query.get("preview"))).toEqual(["true"]);
  const drawn = spotChecks({ to_judge: 4, preview: [] });
  server.replies[`POST ${ADDRESS}`] = { body: drawn };
  server.replies[`GET ${ADDRESS}`] = { body: drawn };
  await keys.keyboard("d");
  expect(await screen.findByText("4 drawn items wait to be judged")).toBeTruthy();
  expect(posts()[0]?.body).toMatchObject({ kind: "captions" });
  expect(screen.getByText("No item was accepted since the last draw.")).toBeTruthy();
  expect(screen.queryByTestId("draw")).toBeNull();
});

test("a draw that someone else was quicker with says so", async () => {
  const refused = { status: 409, body: { code: "nothing_to_draw", params: {}, detail: "" } };
  const { keys } = await open({ to_judge: 0 }, { [`POST ${ADDRESS}`]: refused });
  await keys.click(await screen.findByTestId("draw"));
  expect((await screen.findByTestId("problem")).textContent).toContain("No item was accepted");
});

test("items that wait are one key away", async () => {
  const { keys, at } = await open({ to_judge: 4 });
  await screen.findByTestId("to-judge");
  await keys.keyboard("{Enter}");
  await vi.waitFor(() => expect(at().pathname + at().search).toBe("/b/x/team/spot-checks/judge?kind=captions"));
});

test("a result names what was drawn, judged and wrong, and the interval once all are judged", async () => {
  const teams = [teamResult(), teamResult({ team: { id: 8, name: "Sichuan" }, right: 1, wrong: 0, open: 2, interval: null })];
  await open({ results: [spotCheck({ teams })] });
  const egypt = await screen.findByTestId("result-Egypt");
  expect(within(egypt).getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["67% 95% interval 20% – 97%", "30", "3", "3", "1", "0"]);
  const links = within(egypt).getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/b/x/team?kind=captions&team=7", "/b/x/team?kind=captions&team=7&show=returned"]);
  expect(screen.getByTestId("result-Sichuan").textContent).toContain("2 still to judge");
  expect(await axeFaults()).toEqual([]);
});

test("a result without some drawn items that changed has no interval", async () => {
  await open({ results: [spotCheck({ teams: [teamResult({ right: 2, wrong: 0, changed: 1, interval: null })] })] });
  expect(within(await screen.findByTestId("result-Egypt")).getAllByRole("cell")[0]?.textContent).toBe(
    "100% of 2 judged; no interval because drawn items changed",
  );
});

test("a member reads the results of their team and can neither draw nor judge", async () => {
  const member = curatorReplies(["team_board", "spot_check_list"]);
  await open({ to_judge: 0, preview: [], available_actions: [], results: [spotCheck({ teams: [] })] }, member);
  expect(await screen.findByText("No item of your team was drawn.")).toBeTruthy();
  expect(screen.queryByTestId("next-draw")).toBeNull();
  expect(screen.getAllByRole("link").map((link) => link.textContent)).toEqual(["Board", "Spot checks"]);
});

test.each([
  [{ percent: 10 }, ["item_spot_check"], "once you have drawn"],
  [{ percent: 10 }, [], "once curators have drawn"],
  [{ percent: 0, available_actions: [] }, ["item_spot_check"], "asks for no spot checks"],
])("an empty page says what will appear %#", async (checks, operations, text) => {
  await open({ ...checks, to_judge: 0, preview: [], results: [], total: 0 }, curatorReplies(["spot_check_list", ...operations]));
  expect((await screen.findByTestId("empty")).textContent).toContain(text);
});

test("a list that cannot be read says why", async () => {
  await open({}, { [`GET ${ADDRESS}`]: { status: 403, body: { code: "operation_not_allowed", params: {}, detail: "" } } });
  expect(await screen.findByTestId("problem")).toBeTruthy();
});
