/** The text of the open item: where it starts from, how it is saved, and what the server found in it. */
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { call } from "@/api/client";
import type { Finding, RecordNode, Track, WorkRules } from "@/api/types";
import type { Content } from "@/kinds/kind";
import { carry, empty } from "@/kinds/tree";
import type { QueuedItem } from "./queue/workQueue";
import { draftMirror } from "./saving/browserStore";
import { trackField, type Delivery, type WorkEntry } from "./saving/delivery";
import { DraftSaver, type DraftState } from "./saving/draftSaver";

/** What an item's text begins with when it is opened. */
export interface Start {
  readonly content: Content;
  /** Highest draft number known. */
  readonly seq: number;
  readonly reasons: Readonly<Record<string, string>>;
  /** Findings that fit the content, when any are known. */
  readonly findings: readonly Finding[];
  /** A draft that was typed over an older revision; the person must compare. */
  readonly stale: Content | null;
  /** Text the server has not acknowledged as a draft yet and must be sent. */
  readonly unsaved: boolean;
  /** What was waiting for the item. */
  readonly over: WorkEntry | null;
}

/**
 * The newest text wins: what waits in the outbox or was refused, then what this browser kept,
 * then the server's draft, then the revision itself. A draft over an older revision is set aside. `begin` adds the fields
 * that the kind has before anything is typed.
 */
export function startOf(item: QueuedItem, entry: WorkEntry | null, rules: WorkRules, begin: (content: Content) => Content = (content) => content): Start {
  const start = newestOf(item, entry, rules);
  return { ...start, content: begin(start.content) };
}

function newestOf(item: QueuedItem, entry: WorkEntry | null, rules: WorkRules): Start {
  const written = item.content ?? empty(rules.content);
  const seq = Math.max(item.draft?.seq ?? 0, item.local?.seq ?? 0);
  const base = { seq, reasons: item.reasons, stale: null, unsaved: false, over: entry };
  if (entry && !entry.leftOut) {
    const refused = entry.state === "refused" ? findingsIn(entry.failure?.params) : [];
    return { ...base, content: entry.content, reasons: entry.reasons, findings: refused };
  }
  const local = item.local && item.local.seq > (item.draft?.seq ?? 0) ? item.local : null;
  const draft = local ?? item.draft;
  if (!draft) return { ...base, content: written, findings: item.findings };
  if (draft.base_no !== item.revision_no) {
    const differs = JSON.stringify(draft.content) !== JSON.stringify(written);
    return { ...base, content: written, findings: item.findings, stale: differs ? draft.content : null };
  }
  return { ...base, content: draft.content, findings: local ? [] : item.findings, unsaved: local !== null };
}

function findingsIn(params: Readonly<Record<string, unknown>> | undefined): readonly Finding[] {
  const found = params?.findings;
  return Array.isArray(found) ? (found as Finding[]) : [];
}

export interface ItemText {
  content: Content;
  /** Findings with marks that fit the content as it is. */
  findings: readonly Finding[];
  /** Whether the findings were computed for this very content. */
  isChecked: boolean;
  reasons: Readonly<Record<string, string>>;
  draft: DraftState;
  saver: DraftSaver<Content, Finding>;
  change: (content: Content) => void;
  setOverrideReason: (code: string, reason: string) => void;
}

export function useItemText(
  item: QueuedItem,
  track: Track,
  start: Start,
  tree: RecordNode,
  delivery: Delivery,
  activeMs: () => number | null,
): ItemText {
  const [content, setContent] = useState(start.content);
  const [reasons, setReasons] = useState(start.reasons);
  const [found, setFound] = useState<{ findings: readonly Finding[]; of: Content | null }>({
    findings: start.findings,
    // What only this browser kept, the server has not checked.
    of: start.unsaved ? null : start.content,
  });
  const [draft, setDraft] = useState<DraftState>({ phase: "saved", savedAt: null, failure: null });

  const [saver] = useState(
    () =>
      new DraftSaver<Content, Finding>({
        baseNo: item.revision_no,
        seq: start.seq,
        put: (body) => call("draft_save", { path: { id: item.id }, body: { ...body, ...trackField(track) } }, { keepalive: true }),
        activeMs,
        mirror: draftMirror<Content>(delivery.personId, item.id),
        onFindings: (findings, of) => setFound({ findings, of }),
        onState: setDraft,
      }),
  );

  const resend = useEffectEvent(() => {
    if (start.unsaved) saver.edit(start.content);
  });
  const { over } = start;
  useEffect(() => {
    delivery.register(item.id, saver, over);
    resend();
    return () => saver.leave();
  }, [delivery, item.id, over, saver]);

  const findings = useMemo(
    () => (found.of === null || found.of === content ? found.findings : carry(tree, found.findings, found.of, content)),
    [found, content, tree],
  );

  return {
    content,
    findings,
    isChecked: found.of === content,
    reasons,
    draft,
    saver,
    change: (next) => {
      setContent(next);
      saver.edit(next);
    },
    setOverrideReason: (code, reason) => setReasons((old) => ({ ...old, [code]: reason })),
  };
}
