/** The desk of a package in tests: what the server answers, opened by a person of their own. */
import "fake-indexeddb/auto";
import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, vi } from "vitest";
import { useSession } from "@/api/session";
import type { WorkItem } from "@/api/types";
import { KeySheets } from "@/ui/keys";
import { deliveryOf } from "@/workspace/saving/delivery";
import { WorkspacePage } from "@/workspace/WorkspacePage";
import { deleteBrowserStore } from "./browserStore";
import { captionsTree } from "./content";
import { renderScreen } from "./render";
import { serve } from "./server";

type Server = ReturnType<typeof serve>;
type Request = Server["asked"][number];

export const name = (en: string) => ({ "zh-Hans": en, "zh-Hant": en, en });
export const rules = {
  kind: "captions",
  content: captionsTree(2),
  slots: 2,
  minimum_characters: 8,
  overlap: { measure: "bigram_jaccard", limit_percent: 30 },
  human_checks: [{ code: "no_names", name: name("No names") }],
  review_reasons: [{ code: "not_true", name: name("Not what the picture shows") }],
  skip_reasons: [],
};
export const pkg = {
  id: 9,
  number: 1,
  label: "cap-pkg-0001",
  kind: "captions",
  state: "working",
  round: 0,
  revision: 1,
  size: 2,
  written: 0,
  checked: 0,
  assignee: { id: 1, name: "Zhang Wei" },
  reviewer: null,
  state_changed_at: "2026-01-01T00:00:00Z",
  available_actions: ["work_next", "item_submit"],
};
export const item = (position: number, changes: Partial<WorkItem> = {}): WorkItem => ({
  id: 100 + position,
  number: position,
  label: `cap-00000${position}`,
  position,
  state: "todo",
  revision_no: 0,
  image: {
    id: position,
    label: `img-000${position}`,
    view_url: `/media/${position}/view`,
    clean_url: `/media/${position}/clean`,
    redaction_no: 0,
    thumb_url: `/media/${position}/thumb`,
    width: 640,
    height: 480,
    category: null,
  },
  language: null,
  is_restored: false, is_corrected: false,
  content: null,
  draft: null,
  findings: [],
  reasons: {},
  returned: null,
  skipped: null,
  comments: 0,
  checked: false,
  ...changes,
});

let person = 0;

/** A person of one's own for each test: the outbox lives as long as the page and belongs to a person. */
function session() {
  person += 1;
  return {
    person: { id: person, username: "annotator", name: "Zhang Wei", language: "en" },
    is_owner: false,
    benchmarks: [{ slug: "demo", title: name("Trial"), roles: ["annotator"], operations: [], kinds: ["captions"] }],
    build: "1",
  };
}

function SignedIn() {
  return useSession().data ? (
    <>
      <WorkspacePage />
      <KeySheets />
    </>
  ) : null;
}

export async function open(items: WorkItem[], replies: Parameters<typeof serve>[0] = {}, shows = "task") {
  const server: Server = serve({
    "GET /api/v1/session": { body: session() },
    "GET /api/v1/benchmarks/demo": { body: { protocol: { content: { languages: { content: "zh-Hans" } } } } },
    "GET /api/v1/packages/9/next": (request: Request) => {
      const after = Number(request.query.get("after"));
      const written = requests(server, "POST", "items/101/submit").length;
      return { body: { package: { ...pkg, written }, rules, items: items.filter(({ position }) => position > after) } };
    },
    "PUT /api/v1/items/101/draft": (request: Request) => ({
      body: { seq: (request.body as { seq: number }).seq, findings: [], saved_at: "2026-01-01T00:00:00Z" },
    }),
    "POST /api/v1/items/101/submit": {
      body: { item_id: 101, state: "made", revision_no: 1, findings: [], replayed: false },
    },
    ...replies,
  });
  const keys = userEvent.setup({ delay: null });
  await renderScreen(<SignedIn />, { at: "/b/demo/work/9", path: "/b/:slug/work/:packageId" });
  await screen.findByTestId(shows);
  return { server, keys };
}

export const requests = (server: Pick<Server, "asked">, method: string, path: string) =>
  server.asked.filter((one) => one.method === method && one.path === `/api/v1/${path}`);

export function deskForEach(): void {
  beforeEach(() => {
    HTMLImageElement.prototype.decode = () => Promise.resolve();
  });
  afterEach(async () => {
    cleanup(); // leaving the item saves its draft once more, while the stand-in still answers
    deliveryOf(person).stop();
    await deleteBrowserStore();
    vi.unstubAllGlobals();
  });
}
