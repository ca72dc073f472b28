/** What the desk derives from the open item and from what is on its way to the server. */
import type { QueuedItem, WorkGuideline } from "./queue/workQueue";
import type { WorkEntry } from "./saving/delivery";

/** The newest known guideline: the answer's, or a newer one named by the refusal of one of the submitted texts. */
export function guidelineNow(guideline: WorkGuideline | null, entries: readonly WorkEntry[]): WorkGuideline | null {
  const refused = entries.find((entry) => entry.state === "refused" && entry.failure?.code === "guideline_not_acknowledged");
  const version = refused?.failure?.params.version;
  return typeof version === "number" ? { version, acknowledged: false } : guideline;
}

/** A task starts again with another item, another revision of it, or another problem with it. */
export function taskKey(item: Pick<QueuedItem, "id" | "revision_no">, entry: WorkEntry | null): string {
  return [item.id, item.revision_no, entry && entry.state !== "waiting" ? entry.key + entry.state : ""].join("-");
}
