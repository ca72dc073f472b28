/** One item: its fields, or two versions of it side by side when someone wrote a newer one meanwhile. */
import { useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Track, WorkRules } from "@/api/types";
import { ConflictPanel } from "@/item/conflict/ConflictPanel";
import { versionsIn, type Versions } from "@/item/conflict/versions";
import { BaseContext } from "@/kinds/base";
import type { Content, KindView } from "@/kinds/kind";
import { useRulesIn } from "@/kinds/language";
import { isSame } from "@/kinds/tree";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import type { QueuedItem, WorkGuideline } from "./queue/workQueue";
import type { Delivery, WorkEntry } from "./saving/delivery";
import type { DraftState } from "./saving/draftSaver";
import { startOf } from "./useItemText";
import { WritingPanel } from "./WritingPanel";

export interface TaskProps {
  delivery: Delivery;
  track: Track;
  /** The package the item is written in; null where it is in none. */
  packageId: number | null;
  item: QueuedItem;
  entry: WorkEntry | null;
  view: KindView;
  rules: WorkRules;
  guideline: WorkGuideline | null;
  hasPrevious: boolean;
  onDraft: (state: DraftState) => void;
  onSubmitted: () => void;
  onLater: (() => void) | null;
  onPrevious: () => void;
  /** Fetches the item's newest revision, so that it can be compared with what was written. */
  onReload: () => void;
  onLeave: () => void;
  /** Discards the person's version where they keep the other one as it is; without it that is submitted again. */
  onDiscard?: () => void;
  canPreview?: boolean;
  onTalk: () => void;
}

export function Task(props: TaskProps) {
  const { item, entry, view, track, packageId, delivery, onSubmitted, onLeave } = props;
  const rules = useRulesIn(props.rules, item.language);
  const { t } = useTranslation("workspace");
  const base = useContext(BaseContext);
  const [start] = useState(() => {
    const about = { rules, base, category: item.image.category?.slug ?? null };
    return startOf(item, entry, rules, (content) => view.begin?.(content, about) ?? content);
  });
  const [draftConflict, setDraftConflict] = useState<{ body: unknown; mine: Content } | null>(null);
  const [ignoreStale, setIgnoreStale] = useState(false);
  const guideline = props.guideline?.acknowledged === true ? props.guideline.version : null;

  const versions = useMemo<Versions | null>(() => {
    if (entry?.state === "conflict") {
      return versionsIn(entry.failure?.body, entry.content) ?? newerThan(entry, item);
    }
    if (draftConflict) return versionsIn(draftConflict.body, draftConflict.mine);
    if (start.stale && !ignoreStale && item.content) {
      return { base: null, mine: start.stale, theirs: item.content, theirsNo: item.revision_no };
    }
    return null;
  }, [draftConflict, entry, ignoreStale, item, start.stale]);

  if (versions) {
    return (
      <ConflictPanel
        key={versions.theirsNo}
        versions={versions}
        view={view}
        rules={rules}
        onLeave={onLeave}
        onSubmit={(content) => {
          if (props.onDiscard && isSame(rules.content, content, versions.theirs)) {
            props.onDiscard();
            return;
          }
          setIgnoreStale(true);
          setDraftConflict(null);
          void delivery
            .submit({
              track,
              packageId,
              item,
              baseNo: versions.theirsNo,
              content,
              reasons: entry?.reasons ?? {},
              activeMs: entry?.activeMs ?? null,
              guideline,
              pictureNo: item.image.redaction_no,
              over: entry,
            })
            .then(onSubmitted);
        }}
      />
    );
  }
  if (entry?.state === "conflict") {
    // The answer did not carry the other text: fetch it, so that both can be compared.
    return (
      <Empty
        title={t("conflict.title")}
        actions={
          <Button look="primary" onClick={props.onReload}>
            {t("conflict.reload")}
          </Button>
        }
      >
        {t("conflict.noText")}
      </Empty>
    );
  }
  return (
    <WritingPanel
      item={item}
      track={track}
      packageId={packageId}
      rules={rules}
      view={view}
      guideline={guideline}
      start={start}
      refused={entry?.state === "refused" ? entry : null}
      delivery={delivery}
      hasPrevious={props.hasPrevious}
      onSubmitted={onSubmitted}
      onLater={props.onLater}
      onPrevious={props.onPrevious}
      onLeave={onLeave}
      canPreview={props.canPreview}
      onTalk={props.onTalk}
      onDraft={(state, content) => {
        props.onDraft(state);
        if (state.phase === "stale" && state.failure) setDraftConflict({ body: state.failure.body, mine: content });
      }}
    />
  );
}

/** The item as fetched since, where it is newer than what the submitted text was based on. */
function newerThan(entry: WorkEntry, item: QueuedItem): Versions | null {
  if (item.content === null || item.revision_no <= entry.baseNo) return null;
  return { base: null, mine: entry.content, theirs: item.content, theirsNo: item.revision_no };
}
