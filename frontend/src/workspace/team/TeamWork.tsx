/** Below the head of a team's desk: the picture, and the item to write, submitted, or only to be read. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useWrite } from "@/api/queries";
import type { PeerItem } from "@/api/types";
import { boardDeskOf, boardTrackOf } from "@/item/desk";
import { ClickRounds } from "@/item/clicks/ClickRounds";
import { kindView } from "@/kinds/registry";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import type { PanelName } from "../panels/actions";
import { ItemPanels, PanelKeys } from "../panels/ItemPanels";
import type { Delivery, WorkEntry } from "../saving/delivery";
import type { DraftState } from "../saving/draftSaver";
import { Task } from "../Task";
import { guidelineNow, taskKey } from "../taskState";
import { teamDeskActions } from "./actions";
import { DiscardItem } from "./DiscardItem";
import { DiscardVersion } from "./DiscardVersion";
import { queuedItem, type OpenItem, type OpenItemState } from "./openItem";
import { TeamDone } from "./TeamDone";
import { TeamNotice } from "./TeamNotice";
import { useDiscardVersion } from "./useDiscardVersion";
import styles from "../workspace.module.css";

interface TeamWorkProps {
  slug: string;
  open: OpenItem;
  item: PeerItem;
  local: OpenItemState["local"];
  delivery: Delivery;
  /** The item's text on its way, or refused. */
  entry: WorkEntry | null;
  onDraft: (state: DraftState) => void;
  onLeave: () => void;
}

export function TeamWork({ slug, open, item, local, delivery, entry, onDraft, onLeave }: TeamWorkProps) {
  const { t } = useTranslation("workspace");
  const navigate = useNavigate();
  const view = kindView(item.kind);
  const [panel, setPanel] = useState<PanelName | null>(null);
  const [isSubmitted, setSubmitted] = useState(false);
  const [hasTyped, setTyped] = useState(false);
  /** Counts the versions discarded: the fields then begin with the submitted version. */
  const [round, setRound] = useState(0);
  const create = useWrite("item_create");
  const version = useDiscardVersion(delivery, item, {
    reload: () => open.discarded(),
    onDone: () => {
      setSubmitted(false);
      setTyped(false);
      setRound(round + 1);
    },
  });
  const isInTrouble = entry !== null && entry.state !== "waiting";
  const isWriting = isInTrouble || (!isSubmitted && item.available_actions.includes("item_submit"));
  // A text on its way is sent whatever is discarded here.
  const hasVersion = entry?.state !== "waiting" && (isInTrouble || hasTyped || item.draft !== null || local !== null);
  const mayDiscard = (isWriting || !isSubmitted) && item.available_actions.includes("item_discard");
  const isWritten = item.state !== "todo" || isSubmitted;
  const another = isWritten && item.may_create
    ? () => create.mutate(
        { path: { b: slug }, body: { kind: item.kind, image: item.image.id } },
        { onSuccess: (next) => void navigate(boardDeskOf(slug, boardTrackOf(item.track), next.id)) },
      )
    : null;
  useActions(isWriting ? teamDeskActions : NO_KEYS, { another });

  if (!view) {
    return (
      <div className={styles.workspaceFinished}>
        <Empty title={t("unknownKind.title")}>{t("unknownKind.text", { kind: item.kind })}</Empty>
      </div>
    );
  }
  const queued = queuedItem(item, local);
  const task = `${taskKey(item, entry)}-${round}`;
  const opening = { item: queued, canSkip: false, open: panel, onOpen: setPanel };
  return (
    <PictureSpace>
      <PanelKeys {...opening} />
      <div className={styles.workspaceStage}>
        <Stage
          view={item.image.view_url}
          clean={item.image.clean_url}
          width={item.image.width}
          height={item.image.height}
          label={t("picture", { label: item.image.label })}
        />
      </div>
      <section className={styles.workspaceTask} aria-label={t("task")} data-testid="task" data-item={item.label}>
        {create.error && <Problem error={create.error} />}
        {version.error && <Problem error={version.error} />}
        {isWriting ? (
          <>
            <TeamNotice item={item} />
            {item.sent_back?.stage === "clicks" && <ClickRounds item={item} view={view} onlyLast />}
            <Task
              key={task}
              delivery={delivery}
              track={item.track}
              packageId={null}
              item={queued}
              entry={entry}
              view={view}
              rules={item.rules}
              guideline={item.guideline}
              hasPrevious={false}
              onDraft={(state) => {
                if (state.phase !== "saved" || state.savedAt !== null) setTyped(true);
                onDraft(state);
              }}
              onSubmitted={() => setSubmitted(true)}
              onLater={null}
              onPrevious={() => undefined}
              onReload={() => void open.load()}
              onLeave={onLeave}
              onDiscard={version.discard}
              canPreview
              onTalk={() => setPanel("comments")}
            />
            {hasVersion && <DiscardVersion label={item.label} version={version} />}
          </>
        ) : (
          <TeamDone
            item={item}
            view={view}
            isSubmitted={isSubmitted}
            isWaiting={entry !== null}
            busy={create.isPending}
            onAnother={another}
            onLeave={onLeave}
          />
        )}
        {mayDiscard && <DiscardItem item={item} onDone={onLeave} />}
      </section>
      <ItemPanels
        {...opening}
        slug={slug}
        kind={item.kind}
        rules={item.rules}
        view={view}
        guideline={guidelineNow(item.guideline, entry ? [entry] : [])}
        task={task}
        onAcknowledged={(version) => {
          open.amend({ guideline: { version, acknowledged: true } });
          void delivery.acknowledged(version, ({ itemId }) => itemId === item.id);
        }}
        onSkip={() => undefined}
        onAmended={({ comments }) => comments !== undefined && open.amend({ comments })}
      />
    </PictureSpace>
  );
}

const NO_KEYS: typeof teamDeskActions = [];
