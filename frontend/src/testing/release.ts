/** A release as the server sends it, for tests. */
import type { ReleaseDetail } from "@/api/types";

export function sampleRelease(over: Partial<ReleaseDetail> = {}): ReleaseDetail {
  return {
    id: 7,
    number: 2,
    label: "captions-v2",
    kind: "captions",
    state: "draft",
    freezing: false,
    seed: "41",
    splits_from: "earlier",
    notes: "",
    created_at: "2026-11-20T08:00:00Z",
    checked_at: null,
    frozen_at: null,
    published_at: null,
    withdrawn_at: null,
    withdrawn_reason: "",
    protocol_version: 1,
    previous: null,
    digest: null,
    images: 10,
    items: 20,
    gates: [],
    gate_counts: [],
    warnings: [],
    left_out: [],
    splits: [
      { name: "train", images: 6, items: 12, withheld: false },
      { name: "test", images: 4, items: 8, withheld: true },
    ],
    formats: ["jsonl", "parquet"],
    files: [],
    archive: null,
    missing_files: [],
    changes: null,
    job: null,
    available_actions: [],
    ...over,
  };
}
