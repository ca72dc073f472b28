/** One item: its fields, or two versions of it side by side when someone wrote a newer one meanwhile. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Package, WorkRules } from "@/api/types";
import type { Content, KindView } from "@/kinds/kind";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { ConflictPanel } from "./conflict/ConflictPanel";
import { compareVersions } from "./conflict/merge";
import { versionsIn, type Versions } from "./conflict/versions";
import type { QueuedItem, QueueState, WorkQueue } from "./queue/workQueue";
import type { Delivery, WorkEntry } from "./saving/delivery";
import type { DraftState } from "./saving/draftSaver";
import { startOf } from "./useItemText";
import { WritingPanel } from "./WritingPanel";

interface TaskProps {
  work: QueueState;
  queue: WorkQueue;
  delivery: Delivery;
  lang: string;
  package: Package;
  item: QueuedItem;
  entry: WorkEntry | null;
  view: KindView;
  rules: WorkRules;
  onDraft: (state: DraftState) => void;
  onLeave: () => void;
  onTalk: () => void;
}

export function Task(props: TaskProps) {
  const { item, entry, view, rules, work, package: pkg, queue, delivery, lang, onLeave } = props;
  const { t } = useTranslation("workspace");
  const [start] = useState(() => startOf(item, entry, view, rules));
  const [draftConflict, setDraftConflict] = useState<{ body: unknown; mine: Content } | null>(null);
  const [ignoreStale, setIgnoreStale] = useState(false);
  const guideline = work.guideline?.acknowledged === true ? work.guideline.version : null;

  const versions = useMemo<Versions | null>(() => {
    if (entry?.state === "conflict") {
      return versionsIn(entry.failure?.body, entry.content, view) ?? newerThan(entry, item, view);
    }
    if (draftConflict) return versionsIn(draftConflict.body, draftConflict.mine, view);
    if (start.stale && !ignoreStale && item.content) {
      return {
        base: [],
        mine: view.parts(start.stale),
        theirs: view.parts(item.content),
        theirsNo: item.revision_no,
      };
    }
    return null;
  }, [draftConflict, entry, ignoreStale, item, start.stale, view]);

  if (versions && compareVersions(versions.base, versions.mine, versions.theirs).length > 0) {
    return (
      <ConflictPanel
        versions={versions}
        lang={lang}
        onLeave={onLeave}
        onSubmit={(texts) => {
          setIgnoreStale(true);
          setDraftConflict(null);
          void delivery
            .submit({
              packageId: pkg.id,
              item,
              baseNo: versions.theirsNo,
              content: view.fromParts(texts),
              reasons: entry?.reasons ?? {},
              activeMs: entry?.activeMs ?? null,
              guideline,
              over: entry,
            })
            .then(() => queue.next({ submitted: true }));
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
          <Button look="primary" onClick={() => void queue.reload(item.id)}>
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
      package={pkg}
      rules={rules}
      view={view}
      lang={lang}
      guideline={guideline}
      start={start}
      refused={entry?.state === "refused" ? entry : null}
      delivery={delivery}
      hasPrevious={work.hasPrevious}
      onSubmitted={() => void queue.next({ submitted: true })}
      onLater={() => void queue.next({ submitted: false })}
      onPrevious={() => queue.previous()}
      onLeave={onLeave}
      onTalk={props.onTalk}
      onDraft={(state, content) => {
        props.onDraft(state);
        if (state.phase === "stale" && state.failure) setDraftConflict({ body: state.failure.body, mine: content });
      }}
    />
  );
}

/** The item as fetched since, where it is newer than what the submitted text was based on. */
function newerThan(entry: WorkEntry, item: QueuedItem, view: KindView): Versions | null {
  if (item.content === null || item.revision_no <= entry.baseNo) return null;
  return {
    base: [],
    mine: view.parts(entry.content),
    theirs: view.parts(item.content),
    theirsNo: item.revision_no,
  };
}
