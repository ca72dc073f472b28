import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CategoryList } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve, type Asked } from "@/testing/server";
import { ListPage, NewListPage } from "./ListPage";

const names = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const sentTo = (server: { asked: Asked[] }, end: string) => server.asked.filter(({ method, path }) => method === "POST" && path.endsWith(end)).map(({ body }) => body as Record<string, unknown>);

const grades: CategoryList = {
  name: "grades",
  version: 1,
  origin: "file",
  sha256: "",
  categories: 1,
  fields: 1,
  created_at: "2026-01-01T00:00:00Z",
  created_by: null,
  in_use: false,
  dimensions: [],
  protocol_versions: [],
  rows: [{ slug: "primary_school", "name_zh-Hans": "小学", name_en: "primary school" }],
};

const SESSION = {
  "GET /api/v1/session": {
    body: { person: { id: 1, username: "wang", name: "Wang", language: "en" }, is_owner: false, build: "", benchmarks: [{ slug: "x", title: names("X"), roles: ["head"], operations: ["category_list_use"], kinds: [] }] },
  },
};

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

/** Every row without an English name is a fault, and so is a definition that is too long. */
function check({ body }: Asked) {
  const { text, form } = body as { text: string; form: string };
  if (form === "yaml") return { body: { faults: [{ line: 2, column: "fields", code: "", params: {}, message: "expected a list" }], fault_count: 1, rows: [] } };
  const [head = "", ...lines] = text.split("\n");
  const cellOf = (line: string, column: string) => line.split(",")[head.split(",").indexOf(column)] ?? "";
  const faults = lines.flatMap((line, n) => [
    ...(cellOf(line, "name_en") === "" ? [{ line: n + 2, column: "name_en", code: "cell_missing", params: {}, message: "" }] : []),
    ...(cellOf(line, "definition_en") === "too long" ? [{ line: n + 2, column: "definition_en", code: "too_long", params: { maximum: 9 }, message: "" }] : []),
  ]);
  return { body: { faults, fault_count: faults.length, rows: lines.map(() => ({})) } };
}

async function openNew() {
  const server = serve({ ...SESSION, "POST /api/v1/category-list-checks": check, "POST /api/v1/benchmarks/x/category-lists": { status: 201, body: grades } });
  await renderScreen(<NewListPage />, { at: "/b/x/protocol/lists/new", path: "/b/:slug/protocol/lists/new" });
  const type = (cell: string, value: string) => fireEvent.change(screen.getByTestId(`cell-${cell}`), { target: { value } });
  await screen.findByTestId("cell-0-name_en");
  return { server, type, keys: userEvent.setup({ delay: null }) };
}

const isChecked = (text: string) => waitFor(() => expect(screen.getByTestId("list-state").textContent).toBe(text));

test("saving a list with errors goes to the first of them, and each error leads to its cell", async () => {
  const { server, type, keys } = await openNew();
  await keys.click(screen.getByTestId("save-list"));
  expect(document.activeElement).toBe(screen.getByTestId("list-name"));
  fireEvent.change(screen.getByTestId("list-name"), { target: { value: "grades" } });
  await keys.click(screen.getByTestId("more-columns"));
  type("0-name_zh-Hans", "小学");
  type("0-definition_en", "too long");
  await keys.click(screen.getByTestId("more-columns"));
  await isChecked("2 errors");
  await keys.click(screen.getByTestId("save-list"));
  expect(document.activeElement).toBe(screen.getByTestId("cell-0-name_en"));
  await keys.click(within(screen.getByTestId("list-faults")).getByRole("button", { name: /Definition/ }));
  expect(document.activeElement).toBe(screen.getByTestId("cell-0-definition_en"));
  expect(sentTo(server, "/category-lists")).toEqual([]);
  type("0-definition_en", "short");
  type("0-name_en", "primary school");
  await isChecked("No errors");
  await keys.click(screen.getByTestId("save-list"));
  await waitFor(() => expect(sentTo(server, "/category-lists")[0]).toMatchObject({ name: "grades", base_version: 0, form: "csv" }));
});

test("a list is saved at once while its check is under way, and refused with the focus on its first error", async () => {
  const { server, type, keys } = await openNew();
  fireEvent.change(screen.getByTestId("list-name"), { target: { value: "grades" } });
  type("0-name_zh-Hans", "小学");
  server.replies["POST /api/v1/benchmarks/x/category-lists"] = { status: 422, body: { code: "category_list_invalid", params: { count: 1, faults: [] }, detail: "" } };
  await keys.click(screen.getByTestId("save-list"));
  await isChecked("1 error");
  await keys.click(screen.getByTestId("save-list"));
  expect(document.activeElement).toBe(screen.getByTestId("cell-0-name_en"));
  type("0-name_en", "primary school");
  server.replies["POST /api/v1/benchmarks/x/category-lists"] = { status: 201, body: grades };
  await keys.click(screen.getByTestId("save-list"));
  await waitFor(() => expect(sentTo(server, "/category-lists").map(({ text }) => (text as string).split("\n")[1])).toEqual(["小学,,,,,,", "小学,,primary school,,,,"]));
});

test("a file that is refused leaves the table, says so, and there are files to start from", async () => {
  const { type, keys } = await openNew();
  type("0-name_en", "primary school");
  await keys.upload(screen.getByTestId("list-file"), new File(["fields: 3\n"], "grades.yaml", { type: "text/yaml" }));
  await screen.findByText("grades.yaml was not loaded; the table is as it was.");
  expect(screen.getByTestId("file-faults").textContent).toContain("expected a list");
  expect(screen.getByTestId<HTMLInputElement>("cell-0-name_en").value).toBe("primary school");
  const example = decodeURIComponent(screen.getByTestId("example-yaml").getAttribute("href") ?? "");
  expect(example).toContain("categories:");
});

test("a list becomes a further dimension with a name, or takes the place of another list in one", async () => {
  const subject = { code: "subject", name: names("Subject"), values: [] };
  const server = serve({
    ...SESSION,
    "GET /api/v1/benchmarks/x": { body: { slug: "x", protocol: { version: 4, content: {} }, categories: [], axes: [subject] } },
    "GET /api/v1/benchmarks/x/category-lists/grades/1": { body: grades },
    "POST /api/v1/benchmarks/x/category-lists/grades/1/use": { status: 201, body: { version: 5 } },
  });
  await renderScreen(<ListPage />, { at: "/b/x/protocol/lists/grades/1", path: "/b/:slug/protocol/lists/:name/:version" });
  const keys = userEvent.setup({ delay: null });
  await keys.click(await screen.findByTestId("use-dimension"));
  await keys.click(screen.getByTestId("use-dimension-confirm"));
  expect(screen.getAllByText("Enter a name in all three languages")).toHaveLength(3);
  for (const language of ["zh-Hans", "zh-Hant"]) fireEvent.change(screen.getByTestId(`dimension-${language}`), { target: { value: "学段" } });
  fireEvent.change(screen.getByTestId("dimension-en"), { target: { value: "School grade" } });
  await keys.click(screen.getByTestId("use-dimension-confirm"));
  const sent = () => sentTo(server, "/use").map(({ axis, base_version: base }) => [base, axis]);
  await waitFor(() => expect(sent()).toEqual([[4, { code: "school_grade", name: { "zh-Hans": "学段", "zh-Hant": "学段", en: "School grade" } }]]));
  await keys.click(await screen.findByTestId("use-dimension"));
  await keys.selectOptions(screen.getByTestId("dimension"), "subject");
  await keys.click(screen.getByTestId("use-dimension-confirm"));
  await waitFor(() => expect(sent()[1]).toEqual([4, { code: "subject", name: subject.name }]));
});

test("before a list takes the place of the board's, the page says that the board no longer decides", async () => {
  const taxonomy = { list: { board: true } };
  serve({
    ...SESSION,
    "GET /api/v1/benchmarks/x": () => ({ body: { slug: "x", protocol: { version: 4, content: { taxonomy } }, categories: [], axes: [] } }),
    "GET /api/v1/benchmarks/x/category-lists/grades/1": { body: grades },
  });
  const keys = userEvent.setup({ delay: null });
  const show = async () => {
    await renderScreen(<ListPage />, { at: "/b/x/protocol/lists/grades/1", path: "/b/:slug/protocol/lists/:name/:version" });
    await keys.click(await screen.findByTestId("use-list"));
    return screen.queryByText(/With this list it no longer does/) !== null;
  };
  expect(await show()).toBe(true);
  cleanup();
  Object.assign(taxonomy, { list: { own: "foods", version: 1 } });
  expect(await show()).toBe(false);
});

test("what is written is back after a reload, until it is discarded or saved", async () => {
  const { type, keys } = await openNew();
  await keys.type(screen.getByTestId("list-name"), "foods");
  type("0-name_en", "Mooncake 𠮷");
  cleanup();
  const again = await openNew();
  expect(screen.getByTestId<HTMLInputElement>("list-name").value).toBe("foods");
  expect(screen.getByTestId<HTMLInputElement>("cell-0-name_en").value).toBe("Mooncake 𠮷");
  await again.keys.click(screen.getByTestId("list-discard"));
  expect(screen.getByTestId<HTMLInputElement>("cell-0-name_en").value).toBe("");
  cleanup();
  await openNew();
  expect(screen.queryByTestId("list-discard")).toBeNull();
});

test("a picture is no list, and the message before it is gone", async () => {
  const { server, keys } = await openNew();
  const before = server.asked.length;
  await keys.upload(screen.getByTestId("list-file"), new File(["\xff\xd8\0\0"], "pic.csv"));
  expect((await screen.findByTestId("file-faults")).textContent).toBe("This is no text file: choose CSV, a table with tabs, or YAML.");
  expect(server.asked.length).toBe(before);
});
