/** Below the workspace's head: the open item with its picture and panels, or what replaces it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import type { KindView } from "@/kinds/kind";
import { empty } from "@/kinds/tree";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading } from "@/ui/Loading";
import { Problem } from "@/ui/Problem";
import { FinishedPanel } from "./FinishedPanel";
import type { PanelName } from "./panels/actions";
import { ItemPanels, PanelKeys } from "./panels/ItemPanels";
import { isOpen } from "./queue/order";
import type { QueueState, WorkQueue } from "./queue/workQueue";
import type { Delivery, WorkEntry } from "./saving/delivery";
import type { DraftState } from "./saving/draftSaver";
import { Task } from "./Task";
import { guidelineNow, taskKey } from "./taskState";
import styles from "./workspace.module.css";

interface WorkBodyProps {
  work: QueueState;
  view: KindView | null;
  queue: WorkQueue;
  delivery: Delivery;
  entries: readonly WorkEntry[];
  waiting: number;
  onDraft: (state: DraftState) => void;
  onLeave: () => void;
  onCheck: () => void;
  /** Opens an item whose text waits for a decision. */
  onUndecided: (itemId: number) => void;
}

export function WorkBody(props: WorkBodyProps) {
  const { work, view, queue, delivery, entries, onLeave, onCheck } = props;
  const { t } = useTranslation("workspace");
  const slug = useSlug();
  const [panel, setPanel] = useState<PanelName | null>(null);
  const { current, package: pkg, rules } = work;
  if (work.phase === "failed" && work.error) {
    return (
      <div className={styles.workspaceFinished}>
        {work.error.isOffline && <p>{t("offlineEnd")}</p>}
        <Problem error={work.error} onRetry={() => void queue.enter(null)} />
        <ButtonLink to={`/b/${slug}/packages`}>{t("toPackages")}</ButtonLink>
      </div>
    );
  }
  if (!pkg || !rules || work.phase === "entering") {
    return (
      <div className={styles.workspaceFinished}>
        <Loading />
      </div>
    );
  }
  if (!view) {
    return (
      <div className={styles.workspaceFinished}>
        <Empty title={t("unknownKind.title")}>{t("unknownKind.text", { kind: pkg.kind })}</Empty>
      </div>
    );
  }
  if (pkg.available_actions.includes("package_resume")) return <Returned slug={slug} label={pkg.label} id={pkg.id} />;
  const undecided = entries.filter(({ packageId, state }) => packageId === pkg.id && state !== "waiting");
  const entry = entries.find(({ itemId }) => itemId === current?.id) ?? null;
  const task = current ? taskKey(current, entry) : "";
  const opening = { item: current, canSkip: current !== null && isOpen(current) && entry === null, open: panel, onOpen: setPanel };
  const panels = (
    <ItemPanels
      {...opening}
      task={task}
      slug={slug}
      kind={pkg.kind}
      rules={rules}
      view={view}
      guideline={guidelineNow(work.guideline, entries.filter(({ packageId }) => packageId === pkg.id))}
      onAcknowledged={(version) => {
        queue.acknowledged(version);
        void delivery.acknowledged(version, ({ packageId }) => packageId === pkg.id);
      }}
      onSkip={(why) => {
        if (!current) return;
        void delivery.skip({
          packageId: pkg.id,
          item: current,
          content: current.content ?? empty(rules.content),
          why,
        });
        setPanel(null);
        void queue.next({ submitted: true });
      }}
      onAmended={(change) => {
        if (current) queue.amend(current.id, change);
      }}
    />
  );
  if (!current) {
    return (
      <>
        <PanelKeys {...opening} />
        <FinishedPanel
          package={pkg}
          written={work.written}
          waiting={props.waiting}
          undecided={undecided.length}
          onUndecided={() => undecided[0] && props.onUndecided(undecided[0].itemId)}
          hasPrevious={work.hasPrevious}
          onCheck={onCheck}
          onPrevious={() => queue.previous()}
          onLeave={onLeave}
        />
        {panels}
      </>
    );
  }
  return (
    <PictureSpace>
      <PanelKeys {...opening} />
      <div className={styles.workspaceStage}>
        <Stage
          view={current.image.view_url}
          clean={current.image.clean_url}
          width={current.image.width}
          height={current.image.height}
          label={t("picture", { label: current.image.label })}
        />
      </div>
      <section className={styles.workspaceTask} aria-label={t("task")} data-testid="task" data-item={current.label}>
        <Task
          key={task}
          delivery={delivery}
          track="package"
          packageId={pkg.id}
          item={current}
          entry={entry}
          view={view}
          rules={rules}
          guideline={work.guideline}
          hasPrevious={work.hasPrevious}
          onDraft={props.onDraft}
          onSubmitted={() => void queue.next({ submitted: true })}
          onLater={() => void queue.next({ submitted: false })}
          onPrevious={() => queue.previous()}
          onReload={() => void queue.reload(current.id)}
          onLeave={onLeave}
          onTalk={() => setPanel("comments")}
        />
      </section>
      {panels}
    </PictureSpace>
  );
}

/** Nothing is accepted before the annotator begins to correct; the package's page lists what was returned, and why. */
function Returned({ slug, label, id }: { slug: string; label: string; id: number }) {
  const { t } = useTranslation("workspace");
  const action = (
    <ButtonLink look="primary" to={`/b/${slug}/packages/${String(id)}`} data-testid="to-returned">
      {t("resume.open")}
    </ButtonLink>
  );
  return (
    <div className={styles.workspaceFinished} data-testid="returned-package">
      <Empty title={t("resume.title", { label })} actions={action}>
        {t("resume.text")}
      </Empty>
    </div>
  );
}
