import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { LANGUAGES } from "@/i18n/languages";
import { renderScreen } from "@/testing/render";
import { ApiPage } from "./ApiPage";
import { GuidePage } from "./GuidePage";
import { guideAddress, GUIDES, guidePicture, loadGuide } from "./guides";
import { HelpPage } from "./HelpPage";

it("lists a guide for each role and the reference of the API", async () => {
  await renderScreen(<HelpPage />, { at: "/help", path: "/help" });
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    ...["annotator", "member", "senior", "curator", "admin", "submitter", "developer"].map((guide) => `/help/${guide}`),
    "/help/api",
  ]);
});

it.each(LANGUAGES)("has every guide in %s, with a title, and every picture that it shows", async (language) => {
  for (const guide of GUIDES) {
    const { title, text } = await loadGuide(guide, language);
    expect(title).not.toMatch(/^$|#/);
    const pictures = [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map((match) => match[1] ?? "");
    expect(pictures.length).toBeGreaterThan(1);
    expect(pictures.filter((written) => guidePicture(written) === null)).toEqual([]);
  }
});

it("leads from guide to guide, and from a guide nowhere else", () => {
  const written = ["annotator.md", "senior.md#keys", "../README.md", "../en/admin.md", "../../deploy.md", "https://example.org/admin.md", "../../how-to/add-a-track.md"];
  expect(written.map(guideAddress)).toEqual(["/help/annotator", "/help/senior", "/help", "/help/admin", null, null, null]);
});

it("shows a guide with its pictures and links", async () => {
  await renderScreen(<GuidePage />, { at: "/help/senior", path: "/help/:guide" });
  const body = await screen.findByTestId("markdown");
  await waitFor(() => expect(body.querySelectorAll("img.markdown-picture").length).toBeGreaterThan(1));
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Guide for senior inspectors");
  expect(body.querySelector("h2 br, p br")).toBeNull();
  expect(body.textContent).not.toContain("](");
});

it("says of a guide that does not exist where the guides are", async () => {
  await renderScreen(<GuidePage />, { at: "/help/nobody", path: "/help/:guide" });
  expect((await screen.findByRole("link", { name: "All help" })).getAttribute("href")).toBe("/help");
});

it("sets the names in descriptions as code", async () => {
  await renderScreen(<ApiPage />, { at: "/help/api", path: "/help/api" });
  fireEvent.change(await screen.findByTestId("api-search"), { target: { value: "item_file" } });
  await waitFor(() => expect(screen.getByTestId("api-count").textContent).toBe("1 operation"));
  const summary = screen.getByTestId("operation-item_file");
  expect(summary.textContent).not.toContain("`");
  expect([...summary.querySelectorAll(".dim code")].map((name) => name.textContent)).toContain("item_page");
});

it("finds an operation, and shows its fields and a command with a token", async () => {
  await renderScreen(<ApiPage />, { at: "/help/api", path: "/help/api" });
  const search = await screen.findByTestId("api-search");
  fireEvent.change(search, { target: { value: "package_claim" } });
  await waitFor(() => expect(screen.getByTestId("api-count").textContent).toBe("1 operation"));
  const entry = screen.getByTestId<HTMLDetailsElement>("operation-package_claim");
  entry.open = true;
  fireEvent(entry, new Event("toggle"));
  const command = await screen.findByTestId("curl-package_claim");
  expect(command.textContent).toContain('curl -X POST -H "Authorization: Bearer $TOKEN"');
  expect(command.textContent).toContain('"$SITE/api/v1/benchmarks/BENCHMARK_SLUG/packages/claim"');
  expect([...entry.querySelectorAll("td code")].map((cell) => cell.textContent)).toEqual(expect.arrayContaining(["benchmark_slug (path)", "kind", "assignee.name"]));
});
