import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { BlindTrials } from "./BlindTrials";

const nothing = { state: "none", revision_no: 1, flagged: false, trials: [], error_code: null, error_params: {}, retry_at: null, worker_alive: true };
const trial = (language: string, letters: (string | null)[], replies = letters) => ({
  language,
  model: "m",
  prompt: "choice-text-only 1",
  tries: 4,
  hits: letters.filter((letter, index) => letter === "ABCD"[index]).length,
  flagged_from: 4,
  flagged: letters.join("") === "ABCD",
  answers: letters.map((letter, index) => ({ right: "ABCD"[index], letter, reply: replies[index] ?? "" })),
  at: "2026-01-01T00:00:00Z",
});

async function show(answer: object) {
  const { asked } = serve({ "GET /api/v1/items/5/blind-trials": { body: { ...nothing, ...answer } } });
  await renderScreen(<BlindTrials itemId={5} />);
  await waitFor(() => expect(asked).toHaveLength(1));
}

test("a flagged question says so, with how often each language was right and every reply", async () => {
  await show({ state: "done", flagged: true, trials: [trial("zh-Hans", ["A", "B", "C", "D"]), trial("en", ["A", "A", null, null], ["A", "A", "<b>I cannot see it", ""])] });
  expect(await screen.findByTestId("blind-trials-flagged")).toBeTruthy();
  const [chinese, english] = screen.getAllByTestId("blind-trial");
  if (!chinese || !english) throw new Error("two languages");
  expect(chinese.textContent).toContain("4 of 4 right");
  expect(within(chinese).getByText("Flagged")).toBeTruthy();
  expect(english.textContent).toContain("1 of 4 right");
  expect(within(english).queryByText("Flagged")).toBeNull();
  await userEvent.click(within(english).getByText("Replies", { selector: "summary" }));
  const rows = within(english).getAllByRole("row").slice(1).map((row) => within(row).getAllByRole("cell").map((cell) => cell.textContent));
  expect(rows).toEqual([
    ["A", "A", "A"],
    ["B", "A", "A"],
    ["C", "None", "<b>I cannot see it"],
    ["D", "None", "Empty"],
  ]);
});

test("a question that is not flagged has its numbers all the same", async () => {
  await show({ state: "done", trials: [trial("en", ["A", "A", "A", "A"])] });
  expect(await screen.findByText(/not right often enough/)).toBeTruthy();
  expect(screen.queryByTestId("blind-trials-flagged")).toBeNull();
});

test("those who may judge the item learn only that there is something later", async () => {
  await show({ state: "hidden" });
  expect(await screen.findByText("Shown once the judging of this item is closed.")).toBeTruthy();
});

test.each([
  [{ worker_alive: false }, "No worker asks models at the moment; the question waits."],
  [{}, "The model has not answered this version yet."],
  [{ error_code: "no_budget", error_params: { estimate: "2", currency: "USD" } }, /2 USD/],
  [{ error_code: "trial_prompt_unfit", error_params: { prompt: "x-y" } }, /The prompt x-y does not exist/],
  [{ error_code: "call_timed_out", error_params: { server: "big" }, retry_at: "2026-01-01T00:00:00Z" }, /Next try/],
])("while it waits, the page says why: %j", async (answer, words) => {
  await show({ state: "waiting", ...answer });
  expect(await screen.findByText(words)).toBeTruthy();
});

test("without trials there is nothing", async () => {
  await show({});
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByTestId("blind-trials")).toBeNull();
});
