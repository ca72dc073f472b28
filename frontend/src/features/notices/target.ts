/** Where a notice leads: the page of what it is about. */
import type { Answer } from "@/api/request";
import { useSession } from "@/api/session";
import { boardDeskOf, type BoardTrack } from "@/item/desk";

export type NoticeRow = Answer<"notice_list">["results"][number];

/** Notices about an item that their reader opens on the desk to correct, with the item's track. */
const TO_CORRECT: Readonly<Record<string, BoardTrack>> = {
  item_sent_back: "peer",
  item_spot_wrong: "peer",
  item_panel_returned: "panel",
  item_reopened: "panel",
  item_click_failed: "pair",
  item_base_changed: "pair",
};

/** The page that a notice leads to, for its reader. */
export function useNoticePage(): (notice: NoticeRow) => string | null {
  const submitsTo = useSession().data?.submits_to ?? [];
  return (notice) => pageOfNotice(notice, notice.benchmark !== null && submitsTo.includes(notice.benchmark.slug));
}

/** The address, or null for what has no page; `isOutside`: the reader is no member of the benchmark. */
export function pageOfNotice(notice: Pick<NoticeRow, "benchmark" | "code" | "target_type" | "target_id" | "params">, isOutside = false): string | null {
  if (notice.benchmark === null) return null;
  const below = `/b/${notice.benchmark.slug}`;
  switch (notice.target_type) {
    case "item": {
      const track = TO_CORRECT[notice.code];
      if (track !== undefined) return boardDeskOf(notice.benchmark.slug, track, notice.target_id);
      // What a colleague changed is read in the history; on the desk only the newest version is shown.
      return `${below}/items/${notice.target_id}${notice.code === "item_edited" ? "#history" : ""}`;
    }
    case "package":
      return `${below}/packages/${notice.target_id}`;
    case "guideline": {
      const kind = notice.params.kind;
      return typeof kind === "string" ? `${below}/guidelines/${kind}` : `${below}/guidelines`;
    }
    case "protocol":
      return `${below}/protocol/compare?version=${String(notice.params.version)}&with=${String(notice.params.before)}`;
    case "protocol_proposal":
      return `${below}/protocol/proposals/${notice.target_id}`;
    case "submission":
      return isOutside ? `/submit/${notice.benchmark.slug}/submissions/${notice.target_id}` : `${below}/submissions/${notice.target_id}`;
    case "board":
      return `${below}/category-board`;
    case "erratum":
      return isOutside ? `/submit/${notice.benchmark.slug}/errata` : `${below}/errata`;
    default:
      return null;
  }
}
