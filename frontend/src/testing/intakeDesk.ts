/** Test set-up: an intake with a server that remembers, whose transfers are answered by hand. */
import { afterEach, beforeEach, vi } from "vitest";
import type { ApiError } from "@/api/errors";
import type { UploadDetails, UploadRow } from "@/api/types";
import type { FileToSend } from "@/api/upload";
import type { Card } from "@/features/images/intake/cards";
import { Intake } from "@/features/images/intake/intake";
import { browserMemory } from "@/features/images/intake/memory";
import type { IntakeServer } from "@/features/images/intake/server";

export const file = (name: string, size = 1) => new File(["x".repeat(size)], name, { type: "image/jpeg", lastModified: 7 });

export function row(id: string, part: Partial<UploadRow> = {}): UploadRow {
  return {
    id,
    filename: `${id}.jpg`,
    bytes: 1,
    received: 1,
    kind: "picture",
    parent: null,
    state: "ready",
    checks: [],
    job: null,
    error: null,
    details: {},
    missing: ["licence"],
    width: 10,
    height: 10,
    thumb_url: null,
    near: [],
    image: null,
    expires_at: "2026-12-01T00:00:00Z",
    ...part,
  };
}

const worker = { alive: true, waiting: 0 };

/** A server that remembers, and a transport whose requests are answered by hand. */
export function desk(rows: UploadRow[] = []) {
  const held = new Map(rows.map((one) => [one.id, one]));
  const sent: (FileToSend & { resolve: (id: string) => void; reject: (error: ApiError) => void })[] = [];
  const said: [string[], UploadDetails][] = [];
  const takes: [string[], string][] = [];
  const dropped: string[] = [];
  const server: IntakeServer = {
    open: () => Promise.resolve({ rows: [...held.values()], worker }),
    rows: (ids) => Promise.resolve({ rows: ids.flatMap((id) => held.get(id) ?? []), worker }),
    describe: (ids, details) => {
      said.push([[...ids], details]);
      return Promise.resolve(
        ids.flatMap((id) => {
          const old = held.get(id);
          if (!old) return [];
          const now = { ...old, details: { ...old.details, ...details }, missing: details.licence === undefined ? old.missing : [] };
          held.set(id, now);
          return [now];
        }),
      );
    },
    take: (ids, key) => {
      takes.push([[...ids], key]);
      return Promise.resolve(ids.map((id, i) => ({ id, image: { id: i + 1, label: `img-000${i + 1}` }, error: null })));
    },
    drop: (id) => {
      dropped.push(id);
      return Promise.resolve();
    },
  };
  const intake = new Intake({
    slug: "b",
    send: (sending) => new Promise((resolve, reject) => sent.push({ ...sending, resolve, reject })),
    server,
    memory: browserMemory(1, "b", localStorage),
    missing: (details) => (details.licence === undefined ? ["licence"] : []),
    onAccepted: () => undefined,
    pollMs: 5,
  });
  return { intake, server, held, sent, said, takes, dropped };
}

export const states = (intake: Intake) => intake.snapshot().cards.map((card) => card.state);
export const card = (intake: Intake, at = 0): Card => {
  const found = intake.snapshot().cards[at];
  if (!found) throw new Error(`no card ${at}`);
  return found;
};

/** Fake time and an empty memory for each test of the file. */
export function fakeTimeForEach(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
  });
  afterEach(() => vi.useRealTimers());
}

export const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
