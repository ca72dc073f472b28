import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { SystemDetail } from "@/api/types";
import { renderScreen } from "@/testing/render";
import { serve } from "@/testing/server";
import { SystemPage } from "./SystemPage";
import { SystemsPage } from "./SystemsPage";

afterEach(() => vi.unstubAllGlobals());

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const text = (words: string) => ({ "zh-Hans": words, "zh-Hant": words, en: words });
const system = (part: Partial<SystemDetail>): SystemDetail => ({
  id: null,
  slug: "zh-clip",
  name: "Chinese-CLIP",
  description: text("A dual encoder."),
  organisation: "OFA-Sys",
  access: "open",
  architecture: "Chinese-CLIP",
  size_millions: 188,
  group: "dual_encoder",
  languages: ["zh-Hans"],
  backend: "clip",
  server: "",
  revision: "",
  hub_id: "OFA-Sys/zh-clip",
  homepage: "",
  licence: "",
  parameters: {},
  capabilities: ["embed"],
  is_demo: false,
  runs_code: false,
  state: "not_fetched",
  job: null,
  worker: null,
  files: [],
  files_sha256: "",
  created_at: null,
  runs: 0,
  revisions: [],
  ...part,
});
const job = {
  id: 4,
  kind: "evaluation.fetch_system",
  state: "running" as const,
  done: 1024,
  total: 4096,
  error_code: null,
  error_params: {},
  created_at: "2026-11-20T08:00:00Z",
  finished_at: null,
};

function served(shown: SystemDetail, { owner = true } = {}) {
  return serve({
    "GET /api/v1/session": { body: { person: { id: 1 }, is_owner: owner, benchmarks: [] } },
    "GET /api/v1/systems": { body: [shown, system({ slug: "chat", name: "Chat", group: "hosted", state: "no_backend", backend: "", hub_id: "" })] },
    "GET /api/v1/systems/zh-clip": { body: shown },
    "GET /api/v1/model-servers": { body: [{ name: "big" }] },
    "POST /api/v1/systems": { body: system({ state: "fetching", job, server: "big" }) },
    "POST /api/v1/systems/zh-clip/fetch": { body: system({ state: "fetching", job }) },
  });
}
const open = () => renderScreen(<SystemPage />, { at: "/systems/zh-clip", path: "/systems/:slug" });

test("the list says what was not downloaded, and filters by state", async () => {
  served(system({}));
  await renderScreen(<SystemsPage />, { at: "/systems?state=not_fetched", path: "/systems" });
  expect((await screen.findByTestId("system-zh-clip")).textContent).toContain("not downloaded");
  expect(screen.queryByTestId("system-chat")).toBeNull();
  await userEvent.click(screen.getByTestId("filter-no_backend"));
  expect(screen.getByTestId("system-chat").textContent).toContain("no backend");
});

test("code is allowed with a full commit only, and the request says so", async () => {
  const { asked } = served(system({}));
  await open();
  await userEvent.click(await screen.findByTestId("fetch"));
  await userEvent.click(screen.getByTestId("fetch-code"));
  expect(screen.getByTestId("fetch-confirm")).toHaveProperty("disabled", true);
  await userEvent.type(screen.getByTestId("fetch-revision"), COMMIT);
  await userEvent.click(screen.getByTestId("fetch-confirm"));
  await waitFor(() => expect(asked.some((call) => call.method === "POST")).toBe(true));
  expect(asked.find((call) => call.method === "POST")?.body).toMatchObject({ revision: COMMIT, allow_code: true });
});

test("who is no owner sees the record and no button", async () => {
  served(system({}), { owner: false });
  await open();
  expect((await screen.findByTestId("system-status")).textContent).toContain("The site owner");
  expect(screen.queryByTestId("fetch")).toBeNull();
});

test("a fetch without a worker says so, one under way says how far it is", async () => {
  served(system({ state: "fetching", job, worker: { alive: false, last_seen: null } }));
  const { unmount } = await open();
  expect((await screen.findByTestId("fetch-progress")).textContent).toContain("No model worker is running");
  unmount();
  served(system({ state: "fetching", job, worker: { alive: true, last_seen: null } }));
  await open();
  expect((await screen.findByTestId("fetch-progress")).textContent).toContain("of 4");
});

test("a fetch that waits for space says how much it needs", async () => {
  const waiting = { ...job, state: "queued" as const, error_code: "storage_full", error_params: { disk: "models", free: 5_000_000, needed: 7_000_000_000 } };
  served(system({ state: "fetching", job: waiting, worker: { alive: true, last_seen: null } }));
  await open();
  const text = (await screen.findByTestId("fetch-progress")).textContent;
  expect(text).toContain("7 GB needed, 5 MB free");
  expect(text).toContain("continues once there is enough space");
});

test("a failed fetch gives its reason, and what is here its files and revisions", async () => {
  const ready = system({
    id: 3,
    state: "ready",
    revision: COMMIT,
    files: [{ name: "config.json", bytes: 22, sha256: "a".repeat(64) }],
    job: { ...job, state: "failed", error_code: "hub_not_found", error_params: { hub_id: "OFA-Sys/zh-clip", revision: "v9" } },
  });
  served({ ...ready, revisions: [ready] });
  await open();
  expect((await screen.findByRole("alert")).textContent).toContain("OFA-Sys/zh-clip at revision v9");
  expect(screen.getByTestId("system-files").textContent).toContain("a".repeat(64));
});

test("adding a model on a server names the server, says that pictures go there, and sends the templates", async () => {
  const { asked } = served(system({}));
  await renderScreen(<SystemsPage />, { at: "/systems", path: "/systems" });
  await userEvent.click(await screen.findByTestId("serve"));
  expect((await screen.findByTestId("serve-form")).textContent).toContain("runs on big");
  await userEvent.type(screen.getByTestId("serve-name"), "Large");
  await userEvent.type(screen.getByTestId("serve-slug"), "large");
  await userEvent.clear(screen.getByTestId("serve-template"));
  expect(screen.getByTestId("serve-confirm")).toHaveProperty("disabled", true);
  await userEvent.type(screen.getByTestId("serve-template"), "Query: {{text}");
  await userEvent.click(screen.getByTestId("serve-confirm"));
  await waitFor(() => expect(asked.some((call) => call.method === "POST")).toBe(true));
  expect(asked.find((call) => call.method === "POST")?.body).toMatchObject({ slug: "large", server: "big", text_template: "Query: {text}", dimensions: null });
});

test("a served system shows its server, the server's facts, and why the request failed", async () => {
  const parameters = { model: "org/large", text_template: "Query: {text}", said: { speaks: "vllm", version: "0.12.0" }, dimension: 64 };
  const ready = system({ id: 3, backend: "served", server: "big", hub_id: "", state: "ready", parameters, files_sha256: "f".repeat(64) });
  served({ ...ready, job: { ...job, state: "failed", error_code: "model_server_unreachable", error_params: { server: "big", reason: "503" } } });
  await open();
  const where = (await screen.findByTestId("served")).textContent;
  expect(where).toContain("is sent there");
  expect(where).toContain("version 0.12.0");
  expect(screen.getByTestId("system-status").textContent).toContain("model server big does not answer");
  expect(screen.getByTestId("fetch").textContent).toContain("Query the server again");
});
