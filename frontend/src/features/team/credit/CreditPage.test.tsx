import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useSession } from "@/api/session";
import type { Credit } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { curatorReplies } from "@/testing/peer";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { CreditPage } from "./CreditPage";

afterEach(() => vi.unstubAllGlobals());

function SignedIn() {
  return useSession().data ? <CreditPage /> : null;
}

const share = (id: number, name: string, validated: number, leads = false, member = true) => ({ team: { id, name }, validated, leads, member });
const results: Credit["results"] = [
  { person: { id: 2, name: "Mona" }, teams: [share(7, "Egypt", 96, true), share(8, "Sichuan", 8, false, false)], validated: 104, teams_led: 1, earned: true },
  { person: { id: 3, name: "Sami" }, teams: [share(7, "Egypt", 99)], validated: 99, teams_led: 0, earned: false },
];

async function open(credit: Partial<Credit> = {}, operations = ["team_board", "credit_list", "credit_file"], at = "/b/x/team/credit") {
  serve({
    ...curatorReplies(operations),
    "GET /api/v1/benchmarks/x/credit": { body: { validated_items: 100, teams_to_lead: 2, imported: 0, results, ...credit } },
  });
  const view = await renderScreen(<SignedIn />, { at, path: "/b/:slug/team/credit" });
  await screen.findByRole("heading", { level: 1, name: "Credit" });
  return { keys: userEvent.setup({ delay: null }), at: () => view.router.state.location };
}

const lines = () => within(screen.getByTestId("credit")).getAllByRole("row").slice(1).map((row) => [...row.children].map((cell) => cell.textContent));

test("each person has a line for each team, a total and what is missing", async () => {
  await open();
  expect((await screen.findByTestId("conditions")).textContent).toBe("Authorship requires 100 accepted items, or leading 2 teams.");
  expect(lines()).toEqual([
    ["Mona", "Egypt Lead", "96", "104 / 100", "Conditions met"],
    ["Sichuan not a member", "8"],
    ["Sami", "Egypt ", "99", "99 / 100", "1 more item needed"],
  ]);
  expect(screen.getByTestId("credit-csv").getAttribute("href")).toBe("/api/v1/benchmarks/x/credit.csv");
  expect(await axeFaults()).toEqual([]);
});

test("people are narrowed by team, in the address", async () => {
  const { keys, at } = await open();
  await keys.selectOptions(await screen.findByTestId("filter-team"), "8");
  expect(at().search).toBe("?team=8");
  expect(lines().map(([first]) => first)).toEqual(["Mona", "Sichuan not a member"]);
});

test("without conditions items are only counted, and the file is for those who may fetch it", async () => {
  await open({ validated_items: null, teams_to_lead: null }, ["credit_list"]);
  expect((await screen.findByTestId("conditions")).textContent).toContain("sets no conditions");
  expect(lines()[0]).toEqual(["Mona", "Egypt Lead", "96", "104"]);
  expect(screen.queryByTestId("credit-csv")).toBeNull();
});

test.each([
  [{ teams_to_lead: null }, "Authorship requires 100 accepted items."],
  [{ validated_items: 1, teams_to_lead: null }, "Authorship requires 1 accepted item."],
  [{ validated_items: 1, teams_to_lead: 3 }, "Authorship requires 1 accepted item, or leading 3 teams."],
  [{ validated_items: null }, "Authorship requires leading 2 teams."],
  [{ validated_items: null, teams_to_lead: 1 }, "Authorship requires leading 1 team."],
])("the conditions are those of the protocol %#", async (credit, text) => {
  await open(credit);
  expect((await screen.findByTestId("conditions")).textContent).toBe(text);
});

test("accepted items that count for nobody are named", async () => {
  await open({ imported: 3 });
  expect((await screen.findByTestId("imported")).textContent).toBe("3 accepted items were imported and count for no one.");
});

test("before the first accepted item the page says what will appear", async () => {
  await open({ results: [] });
  expect((await screen.findByTestId("empty")).textContent).toContain("No accepted items yet");
});
