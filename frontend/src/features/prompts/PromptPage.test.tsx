import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { PromptPage } from "./PromptPage";
import { PromptsPage } from "./PromptsPage";
import { faultsIn, lineRange, versionsOf } from "./versions";

const row = (more: object = {}) => ({
  name: "cvlue-vqa",
  no: 1,
  language: "en",
  reading: "paper",
  source: { "zh-Hans": "CVLUE 附录 A.7.1。", "zh-Hant": "CVLUE 附錄 A.7.1。", en: "CVLUE, appendix A.7.1." },
  variables: ["question"],
  sha256: "a".repeat(64),
  is_own: false,
  base_no: null,
  by: null,
  created_at: null,
  ...more,
});
const own = row({ no: 101, reading: "ours", source: null, is_own: true, base_no: 1, by: { id: 2, name: "Wang Fang" }, created_at: "2026-01-01T00:00:00Z" });
const TEXT = "variables:\n- question\nturns:\n- role: user\n  text: 'Answer: {{question}}'\norder:\n- text\n";

const rendered = (asked: Asked) => {
  const { item, text = TEXT } = asked.body as { item?: number; text?: string };
  if (text.includes("{{wrong}}")) {
    const faults = [{ line: 5, key: "turns.0.text", message: "", code: "prompt_variable_unknown", params: { name: "wrong" } }];
    return { status: 422, body: { code: "prompt_variable", params: { file: "prompt.yaml", count: 1, faults }, detail: "" } };
  }
  const said = text.includes("Briefly") ? "Briefly: what is it?" : "Answer: what is it?";
  return {
    body: {
      messages: [{ role: "user", parts: [{ text: null }, { text: said }] }],
      sha256: "b".repeat(64),
      missing: item === undefined ? ["question"] : [],
      item: item === undefined ? null : { label: `vqa-${String(item)}`, parts: 3, sides: ["local"] },
    },
  };
};

const session = { person: { id: 1 }, benchmarks: [{ slug: "demo", operations: ["prompt_list", "prompt_add", "item_list"], kinds: {} }] };

afterEach(() => vi.unstubAllGlobals());

async function open(replies: Parameters<typeof serve>[0] = {}, at = "1") {
  const server = serve({
    "GET /api/v1/session": { body: session },
    "GET /api/v1/benchmarks/demo/prompts": { body: [row(), row({ language: "zh-Hans" }), own] },
    "GET /api/v1/benchmarks/demo/prompts/cvlue-vqa/en/1": { body: { ...row(), text: TEXT, kinds: ["vqa", "multiple_choice"] } },
    "GET /api/v1/benchmarks/demo/items": { body: { results: [{ id: 7, label: "vqa-7", first_text: "What is it?" }], next: null, total: 1, total_is_capped: false } },
    "POST /api/v1/benchmarks/demo/prompt-previews": rendered,
    ...replies,
  });
  const { router } = await renderScreen(<PromptPage />, { at: `/b/demo/prompts/cvlue-vqa/en/${at}`, path: "/b/:slug/prompts/:name/:language/:no" });
  return { ...server, router };
}

test("the template is beside what a model gets for the first accepted item", async () => {
  const { asked } = await open();
  expect((await screen.findByTestId("template")).textContent).toBe(TEXT);
  const messages = await screen.findByTestId("messages");
  expect(messages.textContent).toContain("Answer: what is it?");
  expect(messages.textContent).toContain("The item’s picture");
  expect(screen.queryByTestId("missing")).toBeNull();
  expect(screen.getByText("Administrators of this benchmark can send the prompt to a model.")).not.toBeNull();
  const user = userEvent.setup();
  await user.selectOptions(screen.getByTestId("preview-part"), "2");
  await waitFor(() => expect(asked.at(-1)?.body).toMatchObject({ item: 7, part: 1 }));
  await user.selectOptions(screen.getByTestId("preview-item"), "");
  expect((await screen.findByTestId("missing")).textContent).toContain("question");
});

test("items are of the kinds that the prompt is for", async () => {
  const { asked } = await open({
    "GET /api/v1/benchmarks/demo/items": ({ query }: Asked) => ({
      body: { results: query.get("kind") === "vqa" ? [] : [{ id: 9, label: "choice-9", first_text: "Which?" }], next: null, total: 1, total_is_capped: false },
    }),
  });
  expect(await screen.findByText("No item of this kind is accepted yet: Visual questions")).toBeTruthy();
  const listed = asked.filter((one) => one.path.endsWith("/items"));
  expect(listed.map((one) => [one.query.get("kind"), one.query.get("state")])).toEqual([["vqa", "accepted"]]);
  expect((await screen.findByTestId("missing")).textContent).toContain("question");
  await userEvent.setup().selectOptions(screen.getByTestId("preview-kind"), "multiple_choice");
  await waitFor(() => expect(screen.getByTestId<HTMLSelectElement>("preview-item").value).toBe("9"));
  await waitFor(() => expect(asked.at(-1)?.body).toMatchObject({ item: 9, part: 0 }));
});

test("a caption is chosen as a caption, and the choice is kept in the address", async () => {
  const { router, asked } = await open({ "GET /api/v1/benchmarks/demo/prompts/cvlue-vqa/en/1": { body: { ...row(), text: TEXT, kinds: ["captions"] } } }, "1?item=7&part=2&trial=4");
  const part = await screen.findByLabelText<HTMLSelectElement>("Caption");
  expect(part.value).toBe("2");
  await waitFor(() => expect(asked.at(-1)?.body).toMatchObject({ item: 7, part: 2 }));
  const user = userEvent.setup();
  await user.selectOptions(part, "2");
  expect(router.state.location.search).toBe("?item=7&part=1&kind=captions");
  await user.selectOptions(screen.getByTestId("preview-item"), "");
  expect(router.state.location.search).toBe("?item=none&kind=captions");
});

test("a version that does not exist is no page of its name", async () => {
  await open({}, "99");
  expect((await screen.findByTestId("problem")).textContent).toBe("This does not exist, or you don’t have access to it.");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Not found");
  expect(screen.queryByText("Try again")).toBeNull();
});

test("a prompt for no kind of this benchmark is rendered without an item", async () => {
  const { asked } = await open({ "GET /api/v1/benchmarks/demo/prompts/cvlue-vqa/en/1": { body: { ...row(), text: TEXT, kinds: [] } }, "GET /api/v1/session": { body: { ...session, benchmarks: [{ ...session.benchmarks[0], operations: ["prompt_list", "answer_try"] }] } } });
  expect((await screen.findByTestId("no-kind")).textContent).toBe("No kind of item in this benchmark has values for this prompt.");
  expect((await screen.findByTestId("missing")).textContent).toContain("question");
  expect(asked.some((one) => one.path.endsWith("/items"))).toBe(false);
  expect(screen.queryByTestId("preview-item")).toBeNull();
  expect(screen.queryByTestId("try-needs-item")).toBeNull();
});

test("a copy is rendered while it is edited and added with its base", async () => {
  const added = { ...own, text: TEXT, kinds: ["vqa"] };
  const { asked } = await open({ "POST /api/v1/benchmarks/demo/prompts": { status: 201, body: added }, "GET /api/v1/benchmarks/demo/prompts/cvlue-vqa/en/101": { body: added } });
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("edit-prompt"));
  expect(screen.getByTestId<HTMLButtonElement>("add-prompt").disabled).toBe(true);
  const changed = TEXT.replace("Answer", "Briefly");
  fireEvent.change(screen.getByTestId("prompt-text"), { target: { value: changed } });
  await waitFor(() => expect(screen.getByTestId("messages").textContent).toContain("Briefly: what is it?"));
  await user.click(screen.getByTestId("add-prompt"));
  await screen.findByText("Version 101", { exact: false });
  const sent = asked.find((one) => one.method === "POST" && one.path.endsWith("/prompts"));
  expect(sent?.body).toMatchObject({ name: "cvlue-vqa", language: "en", base_no: 1, text: changed });
});

test("a wrong variable is named with its line, once, instead of a rendering", async () => {
  const fault = { line: 5, key: "turns.0.text", message: "", code: "prompt_variable_unknown", params: { name: "wrong" } };
  await open({ "POST /api/v1/benchmarks/demo/prompts": { status: 422, body: { code: "prompt_variable", params: { file: "prompt.yaml", count: 1, faults: [fault] }, detail: "" } } });
  const user = userEvent.setup();
  await user.click(await screen.findByTestId("edit-prompt"));
  await screen.findByTestId("messages");
  fireEvent.change(screen.getByTestId("prompt-text"), { target: { value: TEXT.replace("{{question}}", "{{wrong}}") } });
  const row = await screen.findByTestId("prompt-fault-0");
  expect(row.textContent).toBe("line 5 there is no variable “wrong”");
  expect(screen.queryByTestId("messages")).toBeNull();
  await user.click(screen.getByTestId("add-prompt"));
  expect(await screen.findByText("Nothing was added: the template has 1 error, listed by line.")).not.toBeNull();
  expect(screen.getAllByTestId("prompt-fault-0").length).toBe(1);
  expect(document.body.textContent).not.toContain("prompt.yaml");
  await user.click(row.querySelector("button") ?? row);
  const area = screen.getByTestId<HTMLTextAreaElement>("prompt-text");
  expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe("  text: 'Answer: {{wrong}}'");
});

test("the list has one row for a version and links to each language", async () => {
  serve({ "GET /api/v1/benchmarks/demo/prompts": { body: [row(), row({ language: "zh-Hans" }), own] } });
  await renderScreen(<PromptsPage />, { at: "/b/demo/prompts", path: "/b/:slug/prompts" });
  const first = await screen.findByTestId("prompt-cvlue-vqa-1");
  expect([...first.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["/b/demo/prompts/cvlue-vqa/en/1", "/b/demo/prompts/cvlue-vqa/zh-Hans/1"]);
  await userEvent.setup().click(screen.getByTestId("from-own"));
  await waitFor(() => expect(screen.queryByTestId("prompt-cvlue-vqa-1")).toBeNull());
  expect(screen.getByTestId("prompt-cvlue-vqa-101").textContent).toContain("Copied from version 1");
});

test("the source of a version is in the reader's language", async () => {
  serve({ "GET /api/v1/benchmarks/demo/prompts": { body: [row()] } });
  await renderScreen(<PromptsPage />, { at: "/b/demo/prompts", path: "/b/:slug/prompts", language: "zh-Hant" });
  const first = await screen.findByTestId("prompt-cvlue-vqa-1");
  expect(first.textContent).toContain("CVLUE 附錄 A.7.1。");
  expect(first.textContent).not.toContain("appendix");
});

test("lines and faults", () => {
  expect(versionsOf([]).length).toBe(0);
  expect([lineRange("ab\ncd", 2), lineRange("ab", 9)]).toEqual([[3, 5], [2, 2]]);
  expect(faultsIn(null)).toEqual([]);
});
