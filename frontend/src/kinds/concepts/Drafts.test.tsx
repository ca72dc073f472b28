import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { axeFaults } from "@/testing/axe";
import { CONCEPTS, DRAFTS, both, candidate, drafted, drafting, draftings, holdWrites, open } from "@/testing/concepts";
import type { Asked } from "@/testing/server";

afterEach(() => vi.unstubAllGlobals());

test("questions are drafted from a concept, and one takes the place of what was written after a question", async () => {
  let rows: unknown[] = [];
  const { keys, sent, onChange } = await open(
    {
      ...CONCEPTS,
      [DRAFTS]: () => draftings(rows),
      "POST /api/v1/images/40/draftings": () => {
        rows = [drafting()];
        return { status: 201, ...draftings(rows) };
      },
      "POST /api/v1/draftings/5/use": () => {
        rows = [drafting({ candidates: [candidate(0, { fate: "used", item: "mcq-000001", item_id: 1 }), candidate(1)] })];
        return draftings(rows);
      },
    },
    [],
    drafted,
  );
  await keys.click(await screen.findByTestId("concept-draft"));
  const [first] = await screen.findAllByTestId("candidate");
  expect(first?.textContent).toContain("What does creature 0 guard?");
  expect(await axeFaults()).toEqual([]);
  if (first) await keys.click(within(first).getByTestId("candidate-use"));
  expect(onChange).not.toHaveBeenCalled();
  await keys.click(screen.getByTestId("candidate-replace"));
  expect((await screen.findByTestId("candidate-fate")).textContent).toBe("Used for mcq-000001 · 第0种神兽守护哪里？");
  expect(sent()).toMatchObject([
    ["/api/v1/images/40/draftings", { concept: 7 }],
    ["/api/v1/draftings/5/use", { no: 0, item: 1 }],
  ]);
  // The tree has no explanation, and the category is the person's.
  expect(onChange.mock.lastCall?.[0]).toEqual({
    category: "",
    question: both("第0种神兽守护哪里？", "What does creature 0 guard?"),
    options: [both("南方", "South"), both("北方", "North")],
  });
});

test("what is chosen while a candidate is being used stays", async () => {
  const { keys, onChange } = await open(
    { ...CONCEPTS, [DRAFTS]: draftings([drafting()]), "POST /api/v1/draftings/5/use": draftings([drafting()]) },
    [],
    drafted,
  );
  const release = holdWrites();
  const [first] = await screen.findAllByTestId("candidate-use");
  if (first) await keys.click(first);
  await keys.click(screen.getByTestId("candidate-replace"));
  await keys.click(screen.getByTestId("choose-tea"));
  await waitFor(() => {
    release();
    expect(onChange).toHaveBeenCalled();
  });
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ category: "tea", question: { local: "第0种神兽守护哪里？" } });
});

test("another item is left alone when the answer for a candidate comes", async () => {
  const { keys, sent, onChange } = await open(
    { ...CONCEPTS, [DRAFTS]: draftings([drafting()]), "POST /api/v1/draftings/5/use": draftings([drafting()]) },
    [],
    drafted,
  );
  const release = holdWrites();
  const [first] = await screen.findAllByTestId("candidate-use");
  if (first) await keys.click(first);
  await keys.click(screen.getByTestId("candidate-replace"));
  await keys.click(screen.getByTestId("open-next"));
  await waitFor(() => {
    release();
    expect(sent()).toHaveLength(1);
  });
  await waitFor(() => expect(first?.getAttribute("aria-busy")).not.toBe("true"));
  expect(onChange).not.toHaveBeenCalled();
});

test("a candidate is put in again without another decision when the answer was lost", async () => {
  let fate = {};
  const { keys, sent, onChange } = await open({ ...CONCEPTS, [DRAFTS]: () => draftings([drafting({ candidates: [candidate(0, fate)] })]) }, [], drafted);
  const served = globalThis.fetch;
  const breaking: typeof fetch = (address, init) => {
    if (init?.method !== "POST") return served(address, init);
    fate = { fate: "used", item: "mcq-000001", item_id: 1 };
    return Promise.reject(new TypeError("Failed to fetch"));
  };
  vi.stubGlobal("fetch", vi.fn(breaking));
  await keys.click(await screen.findByTestId("candidate-use"));
  await keys.click(screen.getByTestId("candidate-replace"));
  await keys.click(await screen.findByTestId("candidate-again"));
  expect(onChange).not.toHaveBeenCalled();
  await keys.click(screen.getByTestId("candidate-replace"));
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ question: { local: "第0种神兽守护哪里？" } });
  expect(sent()).toEqual([]);
});

test("a candidate of another item is not put in", async () => {
  const used = candidate(0, { fate: "used", item: "mcq-000002", item_id: 2 });
  await open({ ...CONCEPTS, [DRAFTS]: draftings([drafting({ candidates: [used] })]) }, [], drafted);
  await screen.findByTestId("candidate-fate");
  expect(screen.queryByTestId("candidate-again")).toBeNull();
});

test("while a draft is under way only such drafts are fetched, and all of them once it ended", async () => {
  const done = drafting();
  const waiting = drafting({ id: 6, state: "running", candidates: [] });
  let rows = [waiting, done];
  const { server } = await open(
    {
      ...CONCEPTS,
      [DRAFTS]: ({ query }: Asked) => {
        if (query.get("open_only") !== "true") return draftings(rows);
        rows = [drafting({ id: 6, candidates: [candidate(0)] }), done];
        return draftings([]);
      },
    },
    [],
    drafted,
  );
  await waitFor(() => expect(screen.getAllByTestId("candidate")).toHaveLength(3));
  const fetched = server.asked.filter(({ path }) => path.endsWith("/draftings")).map(({ query }) => query.get("open_only"));
  expect(fetched).toEqual([null, "true", null]);
});

test("a candidate is discarded with a reason, and naming the concept is none", async () => {
  const { keys, sent } = await open(
    { ...CONCEPTS, [DRAFTS]: draftings([drafting()]), "POST /api/v1/draftings/5/discard": draftings([drafting()]) },
    [],
    drafted,
  );
  const [, second] = await screen.findAllByTestId("candidate-discard");
  if (second) await keys.click(second);
  const reasons = screen.getAllByTestId(/^discard-/).map(({ dataset }) => dataset.testid);
  expect(reasons).toEqual(
    ["wrong_fact", "several_right", "too_easy", "not_cultural", "needs_no_picture", "bad_language", "repeated"].map((one) => `discard-${one}`),
  );
  await keys.click(screen.getByTestId("discard-too_easy"));
  await waitFor(() => expect(sent()).toMatchObject([["/api/v1/draftings/5/discard", { no: 1, reason: "too_easy" }]]));
});

test("keys decide on the first open candidate, also while someone types", async () => {
  let rows = [candidate(0), candidate(1)];
  const { keys, sent, onChange } = await open(
    {
      ...CONCEPTS,
      [DRAFTS]: () => draftings([drafting({ candidates: rows })]),
      "POST /api/v1/draftings/5/discard": () => {
        rows = [candidate(0, { fate: "discarded", reason: "too_easy" }), candidate(1)];
        return draftings([drafting({ candidates: rows })]);
      },
      "POST /api/v1/draftings/5/use": () => {
        rows = [rows[0] ?? candidate(0), candidate(1, { fate: "used", item: "mcq-000001", item_id: 1 })];
        return draftings([drafting({ candidates: rows })]);
      },
    },
    [],
    drafted,
  );
  const [first] = await screen.findAllByTestId("candidate");
  const question = screen.getByTestId("question-local");
  fireEvent.keyDown(question, { key: "≈", code: "KeyX", altKey: true });
  await keys.keyboard("{Escape}");
  expect([screen.queryByTestId("discard-too_easy"), document.activeElement]).toEqual([null, first]);
  fireEvent.keyDown(question, { key: "x", code: "KeyX", altKey: true });
  expect(within(screen.getAllByTestId("candidate")[0] ?? question).getByTestId("discard-wrong_fact")).toBe(document.activeElement);
  await keys.keyboard("3");
  await waitFor(() => expect(screen.getAllByTestId("candidate")).toHaveLength(1));
  expect(document.activeElement).toBe(screen.getByTestId("candidate-use"));
  fireEvent.keyDown(question, { key: "u", code: "KeyU", altKey: true });
  await keys.keyboard("{Enter}");
  await waitFor(() => expect(onChange.mock.lastCall?.[0]).toMatchObject({ question: { local: "第1种神兽守护哪里？" } }));
  expect(document.activeElement).toBe(question);
  expect(sent()).toMatchObject([
    ["/api/v1/draftings/5/discard", { no: 0, reason: "too_easy" }],
    ["/api/v1/draftings/5/use", { no: 1, item: 1 }],
  ]);
});

test.each([
  ["a failure", { state: "failed", error_code: "draft_half_bilingual", candidates: [] }, true, "both languages"],
  ["waiting", { state: "running", candidates: [] }, true, "writing questions"],
  ["no worker", { state: "queued", candidates: [] }, false, "No worker"],
  ["a limit", { state: "queued", candidates: [], limited_until: "2026-11-28T10:00:00Z" }, true, "limits requests"],
])("what a draft says: %s", async (_, changes, alive, sentence) => {
  await open({ ...CONCEPTS, [DRAFTS]: draftings([drafting(changes)], alive) }, [], drafted);
  expect((await screen.findByTestId("drafting")).textContent).toContain(sentence);
  expect(screen.queryByTestId("candidate")).toBeNull();
});
