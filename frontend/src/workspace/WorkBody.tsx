/** Below the workspace's head: the open item with its picture, or what stands in its place. */
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import type { KindView } from "@/kinds/kind";
import { Stage } from "@/picture/Stage";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading } from "@/ui/Loading";
import { Problem } from "@/ui/Problem";
import { FinishedPanel } from "./FinishedPanel";
import type { QueuedItem, QueueState, WorkQueue } from "./queue/workQueue";
import type { Delivery, WorkEntry } from "./saving/delivery";
import type { DraftState } from "./saving/draftSaver";
import { Task } from "./Task";

export interface WorkBodyProps {
  work: QueueState;
  view: KindView | null;
  queue: WorkQueue;
  delivery: Delivery;
  entries: readonly WorkEntry[];
  waiting: number;
  lang: string;
  onDraft: (state: DraftState) => void;
  onLeave: () => void;
  onCheck: () => void;
}

export function WorkBody(props: WorkBodyProps) {
  const { work, view, queue, entries, onLeave, onCheck } = props;
  const { t } = useTranslation("workspace");
  const slug = useSlug();
  const { current, package: pkg, rules } = work;
  if (work.phase === "failed" && work.error) {
    return (
      <div className="workspace-finished">
        {work.error.isOffline && <p>{t("offlineEnd")}</p>}
        <Problem error={work.error} onRetry={() => void queue.enter(null)} />
        <ButtonLink to={`/b/${slug}/packages`}>{t("toPackages")}</ButtonLink>
      </div>
    );
  }
  if (!pkg || !rules || work.phase === "entering") {
    return (
      <div className="workspace-finished">
        <Loading />
      </div>
    );
  }
  if (!view) {
    return (
      <div className="workspace-finished">
        <Empty title={t("unknownKind.title")}>{t("unknownKind.text", { kind: pkg.kind })}</Empty>
      </div>
    );
  }
  if (!current) {
    return (
      <FinishedPanel
        package={pkg}
        written={work.written}
        waiting={props.waiting}
        hasPrevious={work.hasPrevious}
        onCheck={onCheck}
        onPrevious={() => queue.previous()}
        onLeave={onLeave}
      />
    );
  }
  const entry = entries.find((candidate) => candidate.itemId === current.id) ?? null;
  return (
    <>
      <div className="workspace-stage">
        <Stage
          view={current.image.view_url}
          clean={current.image.clean_url}
          width={current.image.width}
          height={current.image.height}
          label={t("picture", { label: current.image.label })}
        />
      </div>
      <section className="workspace-task" aria-label={t("task")} data-testid="task" data-item={current.label}>
        <Task {...props} key={taskKey(current, entry)} item={current} entry={entry} view={view} rules={rules} package={pkg} />
      </section>
    </>
  );
}

/** A task starts anew with another item, another revision of it, or another trouble about it. */
function taskKey(item: QueuedItem, entry: WorkEntry | null): string {
  return [item.id, item.revision_no, entry && entry.state !== "waiting" ? entry.key + entry.state : ""].join("-");
}
