/** A release as the server sends it, for tests. */
import type { ReleaseDetail } from "@/api/types";

const SPLITS: ReleaseDetail["splits"] = [
  { name: "train", images: 6, items: 12, withheld: false },
  { name: "test", images: 4, items: 8, withheld: true },
];

export function sampleKind(over: Partial<ReleaseDetail["by_kind"][number]> = {}): ReleaseDetail["by_kind"][number] {
  return {
    kind: "captions",
    digest: null,
    images: 10,
    items: 20,
    previous: null,
    left_out: [],
    splits: SPLITS,
    formats: ["jsonl", "parquet"],
    changes: null,
    ...over,
  };
}

export function sampleRelease(over: Partial<ReleaseDetail> = {}): ReleaseDetail {
  return {
    id: 7,
    number: 2,
    label: "captions-v2",
    kinds: ["captions"],
    state: "draft",
    checking: false,
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
    is_computed: true,
    as_of: null,
    protocol_version: 1,
    digest: null,
    images: 10,
    items: 20,
    gates: [],
    gate_counts: [],
    warnings: [],
    by_kind: [sampleKind()],
    splits: SPLITS,
    formats: ["jsonl", "parquet"],
    files: [],
    archive: null,
    missing_files: [],
    covered_pictures: 0,
    changes: null,
    job: null,
    available_actions: [],
    ...over,
  };
}
