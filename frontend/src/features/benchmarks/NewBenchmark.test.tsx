import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { NewBenchmark } from "./NewBenchmark";

const name = (text: string) => ({ "zh-Hans": text, "zh-Hant": text, en: text });
const preset = (one: string) => ({ name: one, title: name(one), summary: name("…"), kinds: ["captions"], planned_kinds: ["boxes"] });
const fault = { line: 1, key: "meta", message: "expected more", code: "", params: {} };
const replies = (faults: object[] = []) => ({
  "GET /api/v1/protocol-presets": { body: ["cvqa", "cvlue"].map(preset) },
  "GET /api/v1/protocol-presets/cvqa": { body: { name: "cvqa", source: "meta: {}\n", source_sha256: "", content: {}, planned: [] } },
  "POST /api/v1/protocol-checks": { body: { faults, fault_count: faults.length, warnings: [], title: null, planned: [], effect: null } },
  "POST /api/v1/benchmarks": { status: 201, body: { slug: "lanterns" } },
});

async function fillIn() {
  for (const language of ["zh-Hans", "zh-Hant", "en"]) {
    fireEvent.change(await screen.findByTestId(`title-${language}`), { target: { value: "Lanterns" } });
  }
}

afterEach(() => vi.unstubAllGlobals());

describe("NewBenchmark", () => {
  it("starts from the chosen preset", async () => {
    const server = serve(replies());
    const { router } = await renderScreen(<NewBenchmark />);
    await userEvent.click(await screen.findByTestId("preset-cvqa"));
    await fillIn();
    await userEvent.click(screen.getByTestId("create-benchmark"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b/lanterns"));
    const sent = server.asked.find((one) => one.method === "POST")?.body;
    expect(sent).toMatchObject({ slug: "lanterns", preset: "cvqa" });
    expect(sent).not.toHaveProperty("text");
  });

  it("begins with CVLUE chosen, and says what each preset can do", async () => {
    serve(replies());
    await renderScreen(<NewBenchmark />);
    expect((await screen.findByTestId<HTMLInputElement>("preset-cvlue")).checked).toBe(true);
    const chips = within(screen.getByTestId("preset-kinds-cvqa")).getAllByText(/./);
    expect(chips.map((chip) => chip.textContent)).toEqual(["Captions", "Boxes · not available yet"]);
  });

  it("starts from a preset's text that was changed, once it has no faults", async () => {
    const server = serve(replies());
    const { router } = await renderScreen(<NewBenchmark />);
    await userEvent.click(await screen.findByTestId("preset-cvqa"));
    await userEvent.click(screen.getByTestId("start-from-preset"));
    const text = await screen.findByTestId<HTMLTextAreaElement>("protocol-text");
    expect(text.value).toBe("meta: {}\n");
    fireEvent.change(text, { target: { value: "meta: {}\n# mine\n" } });
    await fillIn();
    await waitFor(() => expect(screen.getByTestId("check-state").textContent).toBe("no errors"));
    await userEvent.click(screen.getByTestId("create-benchmark"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b/lanterns"));
    const sent = server.asked.find((one) => one.path === "/api/v1/benchmarks")?.body;
    expect(sent).toMatchObject({ text: "meta: {}\n# mine\n" });
    expect(sent).not.toHaveProperty("preset");
  });

  it("starts with a category board in CVLUE's fields, and sends nothing while a setting is wrong", async () => {
    const food = { slug: "food", name: name("Food") };
    const server = serve({
      ...replies(),
      "GET /api/v1/protocol-presets/cvlue": { body: { name: "cvlue", source: "", source_sha256: "", content: {}, planned: [], fields: [food, { slug: "tool", name: name("Tool") }] } },
    });
    const { router } = await renderScreen(<NewBenchmark />);
    await userEvent.click(await screen.findByTestId("categories-board"));
    await waitFor(() => expect(screen.getByTestId<HTMLInputElement>("board-field-1-en").value).toBe("Tool"));
    await userEvent.click(screen.getByRole("button", { name: "Remove field 2" }));
    await userEvent.click(screen.getByTestId("board-add-field"));
    for (const language of ["zh-Hans", "zh-Hant"]) fireEvent.change(screen.getByTestId(`board-field-1-${language}`), { target: { value: "乐器" } });
    fireEvent.change(screen.getByTestId("board-minimum"), { target: { value: "11" } });
    await fillIn();
    await userEvent.click(screen.getByTestId("create-benchmark"));
    expect(screen.getAllByText("Enter a name in all three languages")).toHaveLength(1);
    expect(server.asked.some((one) => one.method === "POST")).toBe(false);
    fireEvent.change(screen.getByTestId("board-field-1-en"), { target: { value: "Musical Instrument" } });
    fireEvent.change(screen.getByTestId("board-minimum"), { target: { value: "3" } });
    await userEvent.click(screen.getByTestId("create-benchmark"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/b/lanterns"));
    const music = { code: "musical_instrument", name: { "zh-Hans": "乐器", "zh-Hant": "乐器", en: "Musical Instrument" } };
    expect(server.asked.find((one) => one.method === "POST")?.body).toMatchObject({
      preset: "cvlue",
      categories: { board: { proposers: 5, per_field: { minimum: 3, maximum: 10 }, semantic_fields: [{ code: "food", name: name("Food") }, music] } },
    });
  });

  it("reads a file, and creates nothing while it has faults", async () => {
    const server = serve(replies([fault]));
    await renderScreen(<NewBenchmark />);
    await userEvent.click(await screen.findByTestId("origin-text"));
    await userEvent.upload(screen.getByTestId("protocol-file"), new File(["meta: 花灯\n"], "mine.yaml", { type: "text/yaml" }));
    await waitFor(() => expect(screen.getByTestId<HTMLTextAreaElement>("protocol-text").value).toBe("meta: 花灯\n"));
    expect((await screen.findByTestId("fault-0")).textContent).toContain("expected more");
    await fillIn();
    await userEvent.click(screen.getByTestId("create-benchmark"));
    expect(screen.getByText("Fix the errors above first")).toBeTruthy();
    expect(server.asked.some((one) => one.path === "/api/v1/benchmarks")).toBe(false);
  });
});
