/** The annotator's screen: picture left, task right, keys at the foot; nothing but the task. */
import { useCallback, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { call } from "@/api/client";
import { useMe } from "@/api/session";
import type { Package, Reason, WorkRules } from "@/api/types";
import { contentLanguage } from "@/kinds/language";
import type { Content, KindView } from "@/kinds/kind";
import { kindView } from "@/kinds/registry";
import { Stage } from "@/picture/Stage";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { FootBar } from "@/ui/keys";
import { Loading } from "@/ui/Loading";
import { Meter } from "@/ui/Meter";
import { useTitle } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { ConflictPanel } from "./conflict/ConflictPanel";
import { compareVersions } from "./conflict/merge";
import { versionsIn, type Versions } from "./conflict/versions";
import { FinishedPanel } from "./FinishedPanel";
import { WorkQueue, type QueuedItem, type QueueState } from "./queue/workQueue";
import { localDraft } from "./saving/browserStore";
import { deliveryOf, type Delivery, type WorkEntry } from "./saving/delivery";
import type { DraftState } from "./saving/draftSaver";
import { saveStatus } from "./saving/status";
import { startOf } from "./useItemText";
import { usePicturesAhead } from "./usePicturesAhead";
import { WorkSaveState } from "./WorkSaveState";
import { WritingPanel } from "./WritingPanel";
import "./workspace.css";

const SAVED: DraftState = { phase: "saved", savedAt: null, failure: null };

export function WorkspacePage() {
  const { packageId } = useParams();
  const [query] = useSearchParams();
  const person = useMe();
  const id = Number(packageId);
  const delivery = deliveryOf(person.id);
  const item = Number(query.get("item")) || null;
  // Another package, or another person at the same browser, is another queue.
  return <Workspace key={`${id}-${person.id}`} packageId={id} firstItem={item} delivery={delivery} />;
}

interface WorkspaceProps {
  packageId: number;
  firstItem: number | null;
  delivery: Delivery;
}

function Workspace({ packageId, firstItem, delivery }: WorkspaceProps) {
  const { t } = useTranslation("workspace");
  const slug = useSlug();
  const navigate = useNavigate();
  const benchmark = useBenchmark(slug).data;
  const outbox = useSyncExternalStore(delivery.outbox.subscribe, delivery.outbox.snapshot);
  const [draft, setDraft] = useState<DraftState>(SAVED);
  const [queue] = useState(
    () =>
      new WorkQueue({
        next: (after) => call("work_next", { path: { id: packageId }, query: { after } }),
        sheet: () => call("package_show", { path: { id: packageId } }),
        localDraft: (itemId) => localDraft<Content>(delivery.personId, itemId),
        onTheWay: () =>
          new Set(
            delivery.outbox
              .snapshot()
              .entries.filter((entry) => entry.state === "waiting")
              .map((entry) => entry.itemId),
          ),
      }),
  );
  const work = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const ready = usePicturesAhead(work.ahead.map((ahead) => ahead.image.view_url));

  const enter = useEffectEvent(() => {
    void delivery.outbox.start().then(() => queue.enter(firstItem));
  });
  useEffect(() => {
    enter();
    return delivery.onDelivered((entry, answer) => {
      if (entry.packageId !== packageId) return;
      const { state, revision_no, findings } = answer;
      const stored = { state, revision_no, findings, content: entry.content, reasons: { ...entry.reasons } };
      void queue.delivered(entry.itemId, stored, entry.isFirst);
    });
  }, [delivery, packageId, queue]);

  const pkg = work.package;
  const view = pkg ? kindView(pkg.kind) : null;
  const title = pkg ? `${t(`ui:kind.${pkg.kind}`)} · ${pkg.label}` : "";
  useTitle(title);

  const leave = useCallback(() => void navigate(`/b/${slug}/packages/${packageId}`), [navigate, packageId, slug]);
  const check = useCallback(() => void navigate(`/b/${slug}/packages/${packageId}/check`), [navigate, packageId, slug]);
  const troubled = outbox.entries.find((entry) => entry.state !== "waiting") ?? null;
  const openTroubled = () => {
    if (!troubled) return;
    if (troubled.packageId === packageId) void queue.open(troubled.itemId);
    else void navigate(`/b/${slug}/work/${troubled.packageId}?item=${troubled.itemId}`);
  };

  return (
    <div className="workspace" data-testid="workspace">
      <header className="workspace-top">
        <h1>{pkg ? t(`ui:kind.${pkg.kind}`) : t("ui:loading")}</h1>
        {pkg && (
          <>
            <span className="dim number">
              {pkg.label} · {work.written} / {pkg.size}
            </span>
            <Meter value={work.written} of={pkg.size} label={t("progress")} />
          </>
        )}
        {work.current && <span className="tiny">{work.current.label}</span>}
        <span className="spring" />
        <WorkSaveState status={saveStatus(draft.phase, outbox)} onOpen={openTroubled} />
        <Link to={`/b/${slug}/packages/${packageId}`} className="button button-plain button-small" data-testid="leave">
          {t("close")}
        </Link>
      </header>
      <main className="workspace-body">
        <Body
          work={work}
          view={view}
          queue={queue}
          delivery={delivery}
          entries={outbox.entries}
          waiting={outbox.waiting}
          lang={contentLanguage(benchmark)}
          returnReasons={work.rules?.review_reasons ?? []}
          onDraft={setDraft}
          onLeave={leave}
          onCheck={check}
        />
      </main>
      <FootBar>{work.current && work.ahead.length > 0 && t("ready", { number: ready })}</FootBar>
    </div>
  );
}

interface BodyProps {
  work: QueueState;
  view: KindView | null;
  queue: WorkQueue;
  delivery: Delivery;
  entries: readonly WorkEntry[];
  waiting: number;
  lang: string;
  returnReasons: readonly Reason[];
  onDraft: (state: DraftState) => void;
  onLeave: () => void;
  onCheck: () => void;
}

function Body(props: BodyProps) {
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
        <Task
          {...props}
          key={taskKey(current, entry)}
          item={current}
          entry={entry}
          view={view}
          rules={rules}
          package={pkg}
        />
      </section>
    </>
  );
}

/** A task starts anew with another item, another revision of it, or another trouble about it. */
function taskKey(item: QueuedItem, entry: WorkEntry | null): string {
  return [item.id, item.revision_no, entry && entry.state !== "waiting" ? entry.key + entry.state : ""].join("-");
}

/** The item as fetched since, where it is newer than what the hand-in was based on. */
function newerThan(entry: WorkEntry, item: QueuedItem, view: KindView): Versions | null {
  if (item.content === null || item.revision_no <= entry.baseNo) return null;
  return {
    base: [],
    mine: view.parts(entry.content),
    theirs: view.parts(item.content),
    theirsNo: item.revision_no,
  };
}

interface TaskProps extends BodyProps {
  package: Package;
  item: QueuedItem;
  entry: WorkEntry | null;
  view: KindView;
  rules: WorkRules;
}

function Task(props: TaskProps) {
  const { item, entry, view, rules, work, package: pkg, queue, delivery, lang, onLeave } = props;
  const { t } = useTranslation("workspace");
  const [start] = useState(() => startOf(item, entry, view, rules));
  const [draftConflict, setDraftConflict] = useState<{ body: unknown; mine: Content } | null>(null);
  const [ignoreStale, setIgnoreStale] = useState(false);

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
        onHandIn={(texts) => {
          setIgnoreStale(true);
          setDraftConflict(null);
          void delivery
            .handIn({
              packageId: pkg.id,
              item,
              baseNo: versions.theirsNo,
              content: view.fromParts(texts),
              reasons: entry?.reasons ?? {},
            })
            .then(() => queue.next({ handedIn: true }));
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
      returnReasons={props.returnReasons}
      start={start}
      refused={entry?.state === "refused" ? entry : null}
      delivery={delivery}
      hasPrevious={work.hasPrevious}
      onHandedIn={() => void queue.next({ handedIn: true })}
      onLater={() => void queue.next({ handedIn: false })}
      onPrevious={() => queue.previous()}
      onLeave={onLeave}
      onDraft={(state, content) => {
        props.onDraft(state);
        if (state.phase === "stale" && state.failure) setDraftConflict({ body: state.failure.body, mine: content });
      }}
    />
  );
}
