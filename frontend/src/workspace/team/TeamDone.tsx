/** In place of the fields: the item was submitted, or this person cannot change it now. */
import { useTranslation } from "react-i18next";
import type { PeerItem } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { ClickRounds } from "@/item/clicks/ClickRounds";
import { boardTrackOf } from "@/item/desk";
import type { KindView } from "@/kinds/kind";
import { MarksBeside } from "@/kinds/Marks";
import { PictureCategory } from "@/kinds/PictureCategory";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { teamDoneActions } from "./actions";

interface TeamDoneProps {
  item: PeerItem;
  view: KindView;
  isSubmitted: boolean;
  /** Whether the text is still being sent. */
  isWaiting: boolean;
  busy: boolean;
  onAnother: (() => void) | null;
  onLeave: () => void;
}

export function TeamDone({ item, view, isSubmitted, isWaiting, busy, onAnother, onLeave }: TeamDoneProps) {
  const { t } = useTranslation("workspace");
  const format = useFormat();
  useActions(teamDoneActions, { another: onAnother, leave: onLeave });
  const track = boardTrackOf(item.track);
  const texts = track === "peer" ? "team" : (`team.${track}` as const);
  /** As many second people as may try did not find everything. */
  const isUndecided = track === "pair" && !isSubmitted && item.state === "made" && item.judging === null;
  const why = item.held_until !== null && !item.mine ? "held" : item.state;
  return (
    <div data-testid="team-done">
      <h2>{isSubmitted ? t("team.submitted.title", { label: item.label }) : item.label}</h2>
      <p className="dim" role="status">
        {isSubmitted
          ? t(`${texts}.submitted.${isWaiting ? "waiting" : "text"}`)
          : track === "panel" && item.state === "made" && item.judging !== null
            ? t("team.panel.made", { done: item.judging.done, count: item.judging.people })
            : track === "pair" && item.state === "made"
              ? t(isUndecided ? "team.pair.undecided" : "team.pair.made")
              : track !== "peer" && item.state === "accepted"
              ? t(`team.${track}.accepted`)
              : t([`team.closed.${why}`, "team.closed.any"], { time: item.held_until === null ? "" : format.time(item.held_until) })}
      </p>
      {!isSubmitted && item.content && (
        <PictureCategory of={item}>
          <view.Reader content={item.content} rules={item.rules} findings={item.findings} reasons={item.reasons} />
          <MarksBeside view={view} content={item.content} rules={item.rules} findings={item.findings} />
        </PictureCategory>
      )}
      {isUndecided && <ClickRounds item={item} view={view} />}
      <div className="row-actions">
        {onAnother && (
          <Button look="primary" keys="Alt+n" busy={busy} onClick={onAnother} data-testid="another">
            {t("team.another")}
          </Button>
        )}
        <Button keys="Escape" onClick={onLeave} data-testid="to-board">
          {t("team.board")}
        </Button>
      </div>
    </div>
  );
}
