/** Submitting the open item: what keeps it here, where that leads, and waiting a moment for a check that is under way. */
import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import type { Finding, RecordNode } from "@/api/types";
import type { Content, KindView } from "@/kinds/kind";
import { firstEmpty, hasEmptyList, isSame, leafAt } from "@/kinds/tree";
import type { QueuedItem } from "./queue/workQueue";
import type { ItemText } from "./useItemText";

/** Longest that submitting waits for a check that is under way, in milliseconds. */
const CHECK_LIMIT_MS = 1_000;

type Reasons = Readonly<Record<string, string>>;
type Hint = "empty" | "nothing" | "findings" | "override" | "unchanged";

interface Submitting {
  readonly item: QueuedItem;
  readonly tree: RecordNode;
  readonly view: KindView;
  readonly text: ItemText;
  /** Whether the server rejected the text that the item is opened with. */
  readonly isRefused: boolean;
  readonly field: string;
  readonly onField: (path: string) => void;
  readonly onSubmit: (reasons: Record<string, string>) => void;
}

export function useSubmitting({ item, tree, view, text, isRefused, field, onField, onSubmit }: Submitting) {
  const blocking = blockingFindings(text.findings, text.reasons);
  const [hint, setHint] = useState<Hint | null>(() => (isRefused ? hintOf(blocking) : null));
  const [heldBack, setHeldBack] = useState(hint === "override" ? 1 : 0);
  const [isAwaited, setAwaited] = useState(false);
  const isUnderWay = view.waitsForCheck === true && !text.isChecked && ["unsaved", "saving"].includes(text.draft.phase);

  function holdBack(why: Hint, path: string | null): void {
    setHint(why);
    // A field that is the current one gets the focus back, too.
    if (path !== null && path === field) flushSync(() => onField(""));
    if (path !== null) onField(path);
    else setHeldBack(heldBack + 1);
  }

  function finish(): void {
    setAwaited(false);
    // Findings of an older text may be fixed already; the server checks the new one in any case.
    const why = text.isChecked ? hintOf(blocking) : null;
    if (why !== null) holdBack(why, why === "override" ? null : firstField(blocking, tree, text.content));
    else if (hint !== "unchanged" && isAsReturned(item, tree, text.content)) setHint("unchanged");
    else onSubmit(usedReasons(text.findings, text.reasons));
  }

  const continueSubmitting = useEffectEvent(finish);
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setTimeout(continueSubmitting, isUnderWay ? CHECK_LIMIT_MS : 0);
    return () => clearTimeout(timer);
  }, [isAwaited, isUnderWay]);

  return {
    hint,
    heldBack,
    isAwaited,
    submit: () => {
      const empty = firstEmpty(tree, text.content);
      if (empty !== null) holdBack("empty", empty);
      else if (hasEmptyList(tree, text.content)) holdBack("nothing", null);
      else if (isUnderWay) {
        setAwaited(true);
        void text.saver.flush();
      } else finish();
    },
    /** The content was changed: what held it back may be gone. */
    changed: () => {
      setHint(null);
      setHeldBack(0);
      setAwaited(false);
    },
  };
}

/** The field that the first of these findings is about; null where they are about the content as a whole. */
export function firstField(findings: readonly Finding[], tree: RecordNode, content: Content): string | null {
  return findings.find(({ field }) => leafAt(tree, content, field) !== null)?.field ?? null;
}

function hintOf(blocking: readonly Finding[]): Hint | null {
  if (blocking.length === 0) return null;
  return blocking.every(({ overridable }) => overridable) ? "override" : "findings";
}

/** Whether a colleague or a spot check returned the item and it still is what they read; then the person is asked first. */
function isAsReturned({ returned, content }: QueuedItem, tree: RecordNode, typed: Content): boolean {
  return returned !== null && ["peer", "spot_check"].includes(returned.stage) && isSame(tree, typed, content);
}

/** Errors that are neither fixed nor overridden with a reason. */
function blockingFindings(findings: readonly Finding[], reasons: Reasons): Finding[] {
  return findings.filter(
    ({ severity, overridable, code }) => severity === "error" && !(overridable && (reasons[code] ?? "").trim() !== ""),
  );
}

/** The reasons for findings that can be overridden and are still there. */
function usedReasons(findings: readonly Finding[], reasons: Reasons): Record<string, string> {
  const overridable = new Set(findings.filter((finding) => finding.overridable).map(({ code }) => code));
  return Object.fromEntries(Object.entries(reasons).filter(([code, reason]) => reason.trim() !== "" && overridable.has(code)));
}
