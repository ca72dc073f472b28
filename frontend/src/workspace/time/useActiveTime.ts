/** Time spent on the open item: begins where the draft left off, counts while the item is open. */
import { useEffect, useState } from "react";
import type { QueuedItem } from "../queue/workQueue";
import { ActiveTime } from "./activeTime";

/** Events that show activity; captured, because handlers may stop them from bubbling. */
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel"] as const;

/** Reads the milliseconds spent on the item since its last revision. */
export function useActiveTime(item: QueuedItem): () => number {
  const [time] = useState(
    () => new ActiveTime(spentOn(item), () => performance.now(), document.visibilityState === "visible"),
  );
  useEffect(() => {
    const sign = () => time.input();
    const turned = () => time.visible(document.visibilityState === "visible");
    for (const name of SIGNS) document.addEventListener(name, sign, { capture: true, passive: true });
    document.addEventListener("visibilitychange", turned);
    return () => {
      for (const name of SIGNS) document.removeEventListener(name, sign, { capture: true });
      document.removeEventListener("visibilitychange", turned);
    };
  }, [time]);
  const [read] = useState(() => () => time.ms);
  return read;
}

/** Milliseconds that drafts over the present revision carry; what was spent on an older one went with its submitted text. */
export function spentOn({ revision_no, draft, local }: Pick<QueuedItem, "revision_no" | "draft" | "local">): number {
  const kept = [draft, local].map((one) => (one?.base_no === revision_no ? (one.active_ms ?? 0) : 0));
  return Math.max(...kept);
}
