import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { TeamBoard } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { curatorReplies, memberReplies, peerItem, spotCheck, spotChecks, teamBoard, teamItem, teamResult } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { KeySheets } from "@/ui/keys";
import { BoardPage, WriteBoardPage } from "./BoardPage";

afterEach(() => vi.unstubAllGlobals());

function SignedIn() {
  return useSession().data ? (
    <>
      <BoardPage />
      <KeySheets />
    </>
  ) : null;
}

async function open(board: Partial<TeamBoard> = {}, replies: Parameters<typeof serve>[0] = {}) {
  const server = serve({ ...memberReplies(3), "GET /api/v1/benchmarks/x/team-board": { body: teamBoard(board) }, ...replies });
  const view = await renderScreen(<SignedIn />, { at: "/b/x/team", path: "/b/:slug/team" });
  await screen.findByRole("heading", { name: "Egypt" });
  const boards = () => server.asked.filter((one) => one.path.endsWith("/team-board"));
  return { ...view, server, boards, keys: userEvent.setup({ delay: null }), at: () => view.router.state.location };
}

test("a board shows how far the team is, and each picture with its items", async () => {
  const items = [teamItem(1), teamItem(2, { state: "returned", mine: true, author: { id: 3, name: "Sami" } })];
  await open({ results: [{ image: peerItem(1).image, items }] });
  expect(screen.getByTestId("progress").textContent).toContain("57 of 200 accepted");
  const picture = screen.getByTestId("picture-img-0040");
  expect(within(picture).getByTestId("of-maximum").textContent).toContain("2/3");
  const [first, second] = within(picture).getAllByRole("listitem");
  expect(first?.textContent).toContain("Waiting for you");
  expect(second?.textContent).toContain("Returned");
  const text = within(picture).getAllByText("قارب شراعي في النيل")[0];
  expect([text?.lang, text?.dir]).toEqual(["ar", "rtl"]);
  const links = within(picture).getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/b/x/pictures/40", "/b/x/team/validate?kind=captions&team=7&item=1", "/b/x/team/items/2"]);
  expect(await axeFaults()).toEqual([]);
});

test("an item is created on a picture with room and opened", async () => {
  const { keys, at, server } = await open({}, { "POST /api/v1/benchmarks/x/team-items": { status: 201, body: peerItem(9) } });
  await keys.click(screen.getByTestId("create-img-0040"));
  await vi.waitFor(() => expect(at().pathname).toBe("/b/x/team/items/9"));
  expect(server.asked.find(({ method }) => method === "POST")?.body).toMatchObject({ kind: "captions", image: 40 });
});

test("a picture that filled up meanwhile says so, and one that is full offers nothing", async () => {
  const refused = { status: 409, body: { code: "picture_full", params: { maximum: 3 }, detail: "" } };
  const { keys } = await open({}, { "POST /api/v1/benchmarks/x/team-items": refused });
  await keys.click(screen.getByTestId("create-img-0040"));
  expect((await screen.findByTestId("problem")).textContent).toContain("3");
});

test("no more than the maximum", async () => {
  await open({ maximum: 1 });
  expect(screen.queryByTestId("create-img-0040")).toBeNull();
});

test("filters are in the address and asked of the server", async () => {
  const { keys, at, boards } = await open();
  await keys.click(screen.getByTestId("filter-returned"));
  expect(at().search).toBe("?show=returned");
  await vi.waitFor(() => expect(boards().at(-1)?.query.get("show")).toBe("returned"));
});

test("pictures are narrowed by author and by the reason of a return", async () => {
  const session = memberReplies(3);
  const content = { kinds: { captions: { track: "peer", review_reasons: [{ code: "language", name: { en: "Typo" } }] } } };
  const authors = [2, 3].map((id) => ({ id, name: `Author ${id}` }));
  const { keys, at, boards } = await open(
    { results: [], authors },
    {
      ...session,
      "GET /api/v1/benchmarks/x": { body: { protocol: { content }, categories: [] } },
    },
  );
  await keys.selectOptions(await screen.findByTestId("filter-author"), "2");
  await keys.selectOptions(screen.getByTestId("filter-reason"), "language");
  await vi.waitFor(() => expect(boards().at(-1)?.query.toString()).toContain("author=2&reason=language"));
  expect((await screen.findByTestId("empty")).textContent).toContain("No picture matches");
  await keys.click(screen.getByTestId("filter-none"));
  expect(at().search).toBe("");
});

test("the reader's own drafts are offered where there are any", async () => {
  const { keys, boards } = await open({ drafts: 1 });
  expect(screen.getByTestId("filter-drafts").textContent).toBe("Your drafts 1");
  await keys.click(screen.getByTestId("filter-drafts"));
  await vi.waitFor(() => expect(boards().at(-1)?.query.get("show")).toBe("drafts"));
});

test("who may not star reads what waits for others, and is led to no validating", async () => {
  const items = [teamItem(1), teamItem(2, { state: "accepted" })];
  await open({ available_actions: ["item_create"], to_check: 0, results: [{ image: peerItem(1).image, items }] });
  const picture = screen.getByTestId("picture-img-0040");
  const links = within(picture).getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/b/x/pictures/40", "/b/x/team/items/1", "/b/x/team/items/2"]);
  expect(within(picture).getAllByRole("listitem")[0]?.textContent).toContain("Waiting for a star");
  expect(screen.queryByTestId("validate")).toBeNull();
  expect(screen.queryByTestId("filter-to_check")).toBeNull();
});

test("a row names who has a draft of its item", async () => {
  const items = [
    teamItem(1, { state: "todo", author: null, first_text: "", is_drafted: true, drafted_by: { id: 2, name: "Mona" } }),
    teamItem(2, { author: null, is_drafted: true }),
    teamItem(3),
    teamItem(4, { reader_drafted: true }),
  ];
  await open({ results: [{ image: peerItem(1).image, items }] });
  const rows = within(screen.getByTestId("picture-img-0040")).getAllByRole("listitem").map((row) => row.textContent);
  expect([rows[0]?.includes("draft by Mona"), rows[1]?.includes("draft by a colleague"), rows[2]?.includes("draft"), rows[3]?.includes("your draft")]).toEqual([true, true, false, true]);
});

test("a team without pictures is led to uploading", async () => {
  const { keys, at } = await open({ results: [], to_check: 0 });
  expect(screen.getByTestId("upload-first").getAttribute("href")).toBe("/b/x/pictures/add?team=7");
  await keys.keyboard("u");
  await vi.waitFor(() => expect(at().pathname).toBe("/b/x/pictures/add"));
});

test("a key leads to what waits for the reader", async () => {
  const { keys, at } = await open();
  expect(screen.getByTestId("validate").textContent).toContain("Validate 4");
  await keys.keyboard("v");
  await vi.waitFor(() => expect(at().pathname + at().search).toBe("/b/x/team/validate?kind=captions&team=7"));
});

test("who sees all teams chooses one", async () => {
  const session = memberReplies(3);
  session["GET /api/v1/session"].body.benchmarks[0]?.operations.push("team_list");
  const teams = [7, 8].map((id) => ({ id, name: `Team ${id}`, members: [], lead: null, pair: null, size_maximum: 3 }));
  const { keys, boards } = await open({}, { ...session, "GET /api/v1/benchmarks/x/teams": { body: teams } });
  await keys.selectOptions(await screen.findByTestId("choose-team"), "8");
  await vi.waitFor(() => expect(boards().at(-1)?.query.get("team")).toBe("8"));
});

test("a curator who is in no team chooses one", async () => {
  const teams = ["Egypt", "Sichuan"].map((name, at) => ({ id: at + 7, name, members: [2, 3].map((id) => ({ id, name: `Member ${id}`, roles: [] })), lead: at === 0 ? { id: 2, name: "Mona" } : null, pair: null }));
  serve({
    ...curatorReplies(),
    "GET /api/v1/benchmarks/x/teams": { body: teams },
    "GET /api/v1/benchmarks/x/team-board": { body: teamBoard() },
    "GET /api/v1/benchmarks/x/spot-checks": { body: spotChecks({ results: [] }) },
  });
  await renderScreen(<SignedIn />, { at: "/b/x/team", path: "/b/:slug/team" });
  const rows = within(await screen.findByTestId("teams")).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual(["Egypt2 members · led by Mona", "Sichuan2 members"]);
  expect(await axeFaults()).toEqual([]);
  await userEvent.click(screen.getByTestId("team-Egypt"));
  expect(await screen.findByTestId("progress")).toBeTruthy();
});

test("while the benchmark is loaded, no sentence about team work appears", async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((done) => (open = done));
  serve({ ...memberReplies(3), "GET /api/v1/benchmarks/x/team-board": { body: teamBoard() } });
  const send = fetch;
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    if (address.endsWith("/benchmarks/x")) await gate;
    return send(address, init);
  });
  await renderScreen(<SignedIn />, { at: "/b/x/team", path: "/b/:slug/team" });
  await screen.findByRole("heading", { name: "Team" });
  expect(screen.queryByTestId("empty")).toBeNull();
  open();
  expect(await screen.findByTestId("progress")).toBeTruthy();
});

test("a board shows the result of the newest spot check of its team", async () => {
  const session = memberReplies(3);
  session["GET /api/v1/session"].body.benchmarks[0]?.operations.push("spot_check_list");
  const results = [spotCheck({ id: 6, teams: [] }), spotCheck({ teams: [teamResult()] })];
  await open({}, { ...session, "GET /api/v1/benchmarks/x/spot-checks": { body: spotChecks({ results }) } });
  const result = await screen.findByTestId("board-spot-check");
  expect(result.textContent).toContain("3 items judged, 2 right, 1 wrong");
  expect(result.textContent).toContain("95% interval 20% – 97%");
  expect(within(result).getByRole("link").getAttribute("href")).toBe("/b/x/team/spot-checks?kind=captions");
});

test("on a board of pairs only one's own items and those that no one writes yet are opened", async () => {
  const session = memberReplies(3);
  const items = [
    teamItem(1, { label: "theirs", first_text: "" }),
    teamItem(2, { label: "mine", mine: true, first_text: "左边的熊猫" }),
    teamItem(3, { label: "begun", state: "todo", revision_no: 0, first_text: "", is_drafted: true }),
    teamItem(4, { label: "free", state: "todo", revision_no: 0, first_text: "" }),
  ];
  serve({
    ...session,
    "GET /api/v1/benchmarks/x": { body: { protocol: { content: { kinds: { captions: { track: "pair" } } } }, categories: [] } },
    "GET /api/v1/benchmarks/x/team-board": {
      body: teamBoard({ team: null, available_actions: ["item_create", "item_click"], results: [{ image: peerItem(1).image, items }] }),
    },
  });
  const Page = () => (useSession().data ? <WriteBoardPage /> : null);
  await renderScreen(<Page />, { at: "/b/x/write", path: "/b/:slug/write" });
  const picture = await screen.findByTestId("picture-img-0040");
  const links = within(picture).getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/b/x/pictures/40", "/b/x/write/items/2", "/b/x/write/items/4"]);
  expect(within(picture).getByTestId("item-theirs").textContent).toContain("Being clicked on");
  expect(screen.getByTestId("validate").getAttribute("href")).toBe("/b/x/write/click?kind=captions");
  expect(screen.getByTestId("filter-to_check").textContent).toContain("Waiting for you");
});
