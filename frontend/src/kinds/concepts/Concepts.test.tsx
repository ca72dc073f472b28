import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Finding } from "@/api/types";
import { axeFaults } from "@/testing/axe";
import { bird, both, holdWrites, listed, open, rules, written } from "@/testing/concepts";
import type { Asked } from "@/testing/server";

afterEach(() => vi.unstubAllGlobals());

const leak = (side: "local" | "translated", start: number, end: number, put: string): Finding => {
  const field = `question.${side}`;
  const spans = [{ field, start, end }];
  return { code: "concept_in_question", field, severity: "error", overridable: false, params: { concept: "朱雀", put }, spans };
};
const leaks = [leak("local", 0, 2, "图中的神兽"), leak("translated", 14, 28, "the mythical creature in the picture")];

test("a concept is written down in both languages, and the text is looked at again", async () => {
  let concepts: unknown[] = [];
  const { keys, sent, onChange } = await open({
    "GET /api/v1/images/40/concepts": () => listed(concepts),
    "POST /api/v1/images/40/concepts": () => {
      concepts = [bird];
      return { status: 201, ...listed(concepts) };
    },
  });
  await screen.findByText(/None yet/);
  await keys.click(screen.getByTestId("concept-open"));
  expect(document.activeElement).toBe(screen.getByTestId("concept-local"));
  await keys.click(screen.getByTestId("concept-add"));
  expect([screen.getByText("Write its name.").className, sent()]).toEqual(["wrong", []]);
  await keys.type(screen.getByTestId("concept-local"), "朱雀");
  await keys.type(screen.getByTestId("concept-translated"), "Vermilion Bird");
  await keys.type(screen.getByTestId("concept-noun_local"), "神兽");
  await keys.type(screen.getByTestId("concept-aliases"), "南方之神、 朱鸟；,");
  expect(await axeFaults()).toEqual([]);
  await keys.click(screen.getByTestId("concept-add"));
  const row = await screen.findByTestId("concept");
  expect(row.textContent).toContain("朱雀 · Vermilion Bird · 南方之神");
  expect(sent()).toMatchObject([
    [
      "/api/v1/images/40/concepts",
      { local: "朱雀", translated: "Vermilion Bird", noun_local: "神兽", noun_translated: "", aliases: ["南方之神", "朱鸟"], explanation: "" },
    ],
  ]);
  expect(onChange.mock.lastCall).toEqual([written]);
  expect(screen.queryByTestId("concept-form")).toBeNull();
});

test.each([
  ["local", "朱".repeat(81), "𠮷".repeat(80), "At most 80 characters."],
  ["noun_local", "神".repeat(81), "神兽", "At most 80 characters."],
  ["explanation", "四".repeat(1_001), "四象之一", "At most 1,000 characters."],
  ["aliases", `朱鸟，${"朱".repeat(81)}`, "朱鸟，朱雀", "At most 80 characters."],
  ["aliases", "朱，".repeat(21), "朱，".repeat(20), "At most 20 other names."],
])("what is too long gets a message at its field and is not sent: %s", async (name, long, short, sentence) => {
  const { keys, sent } = await open({
    "GET /api/v1/images/40/concepts": listed([]),
    "POST /api/v1/images/40/concepts": { status: 201, ...listed([bird]) },
  });
  await keys.click(await screen.findByTestId("concept-open"));
  const write = (value: string) => fireEvent.change(screen.getByTestId(`concept-${name}`), { target: { value } });
  fireEvent.change(screen.getByTestId("concept-local"), { target: { value: "朱雀" } });
  write(long);
  await keys.click(screen.getByTestId("concept-add"));
  expect([screen.getByTestId(`concept-${name}`).getAttribute("aria-invalid"), screen.getByText(sentence).className, sent()]).toEqual(["true", "wrong", []]);
  write(short);
  await keys.click(screen.getByTestId("concept-add"));
  await waitFor(() => expect(sent()).toHaveLength(1));
});

test("the form's keys add the concept or leave the form, and nothing else on the page", async () => {
  const { keys, sent } = await open({
    "GET /api/v1/images/40/concepts": listed([]),
    "POST /api/v1/images/40/concepts": { status: 201, ...listed([bird]) },
  });
  await keys.click(await screen.findByTestId("concept-open"));
  await keys.keyboard("{Escape}");
  expect(screen.queryByTestId("concept-form")).toBeNull();
  expect(document.activeElement).toBe(screen.getByTestId("concept-open"));
  await keys.keyboard("{Enter}");
  await keys.type(screen.getByTestId("concept-local"), "朱雀");
  await keys.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.queryByTestId("concept-form")).toBeNull());
  expect(sent()).toMatchObject([["/api/v1/images/40/concepts", { local: "朱雀" }]]);
  expect(document.activeElement).toBe(screen.getByTestId("concept-open"));
});

test("what is typed while a concept is being added stays", async () => {
  const { keys, onChange } = await open({
    "GET /api/v1/images/40/concepts": listed([]),
    "POST /api/v1/images/40/concepts": { status: 201, ...listed([bird]) },
  });
  const release = holdWrites();
  await keys.click(await screen.findByTestId("concept-open"));
  await keys.type(screen.getByTestId("concept-local"), "朱雀");
  await keys.click(screen.getByTestId("concept-add"));
  fireEvent.change(screen.getByTestId("question-local"), { target: { value: "它守护哪里？" } });
  await waitFor(() => {
    release();
    expect(screen.queryByTestId("concept-form")).toBeNull();
  });
  expect(onChange).toHaveBeenCalledTimes(2);
  expect(onChange.mock.lastCall?.[0]).toMatchObject({ question: { local: "它守护哪里？" } });
});

test("what was typed stays when the server does not take it", async () => {
  const twice = { status: 409, body: { code: "concept_twice", params: { name: "朱雀" }, detail: "" } };
  const { keys } = await open({ "GET /api/v1/images/40/concepts": listed([bird]), "POST /api/v1/images/40/concepts": twice });
  await keys.click(await screen.findByTestId("concept-open"));
  await keys.type(screen.getByTestId("concept-local"), "朱雀");
  await keys.click(screen.getByTestId("concept-add"));
  expect((await screen.findByTestId("problem")).textContent).toContain("already has a concept named 朱雀");
  expect(screen.getByTestId<HTMLInputElement>("concept-local").value).toBe("朱雀");
});

test("one key replaces the concept in both languages", async () => {
  const { onChange } = await open({ "GET /api/v1/images/40/concepts": listed([bird]) }, leaks);
  await screen.findByTestId("concepts-replace");
  expect(screen.getAllByTestId("finding-concept_in_question").map(({ textContent }) => textContent)).toEqual([
    "Names the concept 朱雀",
    "Names the concept 朱雀",
  ]);
  const question = screen.getByTestId("question-local");
  fireEvent.keyDown(question, { key: "r", code: "KeyR", altKey: true, isComposing: true });
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.keyDown(question, { key: "®", code: "KeyR", altKey: true });
  expect(onChange.mock.lastCall?.[0]).toEqual({
    ...written,
    question: both("图中的神兽守护哪里？", "What does the mythical creature in the picture guard?"),
  });
});

test("a concept is removed by who may", async () => {
  const other = { ...bird, id: 8, local: "青龙", available_actions: [] };
  const { keys, sent } = await open({
    "GET /api/v1/images/40/concepts": listed([bird, other]),
    "POST /api/v1/concepts/7/retire": (asked: Asked) => ({ ...listed([other]), asked }),
  });
  await screen.findByText("青龙");
  await keys.click(screen.getByTestId("concept-retire"));
  await waitFor(() => expect(sent().map(([path]) => path)).toEqual(["/api/v1/concepts/7/retire"]));
});

test("who only reads is offered nothing, and where the question may name them there are none", async () => {
  await open({ "GET /api/v1/images/40/concepts": listed([{ ...bird, available_actions: [] }], []) });
  await screen.findByTestId("concept");
  expect([screen.queryByTestId("concept-open"), screen.queryByTestId("concept-retire"), screen.queryByTestId("concepts-replace")]).toEqual([null, null, null]);
});

test("where the protocol allows names, concepts are not asked for", async () => {
  const { server } = await open({}, [], { ...rules, concept_in_question: "allowed" });
  expect([screen.queryByTestId("concepts"), server.asked]).toEqual([null, []]);
});
