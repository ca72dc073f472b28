/** The annotator's screen: picture left, task right, keys at the foot; nothing but the task. */
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useMe } from "@/api/session";
import { kindView } from "@/kinds/registry";
import { useStore } from "@/store/useStore";
import { ActionButtons, FootBar } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { useTitle } from "@/ui/Page";
import { toasts } from "@/ui/toasts";
import { DESK_TOOLS, TOUCH_TOOLS } from "./actions";
import { addressOfEntry, itemIdIn } from "./address";
import { deliveryOf, type Delivery } from "./saving/delivery";
import type { DraftState } from "./saving/draftSaver";
import { saveStatus } from "./saving/status";
import { ItemStrip } from "./strip/ItemStrip";
import { markedPlaces } from "./strip/marks";
import { usePlaces } from "./usePlaces";
import { usePreloadedPictures } from "./usePreloadedPictures";
import { useWork } from "./useWork";
import { WorkBody } from "./WorkBody";
import { WorkSaveState } from "./WorkSaveState";
import stripStyles from "./strip/strip.module.css";
import styles from "./workspace.module.css";

const SAVED: DraftState = { phase: "saved", savedAt: null, failure: null };

export function WorkspacePage() {
  const { packageId } = useParams();
  const [query] = useSearchParams();
  const person = useMe();
  const id = Number(packageId);
  const delivery = deliveryOf(person.id);
  // Another package, or another person at the same browser, is another queue.
  return <Workspace key={`${id}-${person.id}`} packageId={id} firstItem={itemIdIn(query)} delivery={delivery} />;
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
  const outbox = useStore(delivery.outbox);
  const [draft, setDraft] = useState<DraftState>(SAVED);
  const [queue, work] = useWork(packageId, firstItem, delivery);
  const ready = usePreloadedPictures(work.current?.image.view_url ?? null, work.ahead.map((ahead) => ahead.image.view_url));

  const pkg = work.package;
  useTitle(pkg ? `${t(`ui:kind.${pkg.kind}`)} · ${pkg.label}` : "");

  const leave = useCallback(() => void navigate(`/b/${slug}/packages/${packageId}`), [navigate, packageId, slug]);
  const check = useCallback(() => void navigate(`/b/${slug}/packages/${packageId}/check`), [navigate, packageId, slug]);
  const open = (itemId: number) => {
    // Its picture has another version since: text that names the one before would be refused again.
    const isOutdated = outbox.entries.some((entry) => entry.itemId === itemId && entry.failure?.code === "picture_changed");
    void queue.open(itemId, { isOutdated }).then((isOpened) => {
      if (!isOpened) toasts.show(t("strip.notFetched"));
    });
  };
  usePlaces(queue, work);
  const places = useMemo(() => work.places && markedPlaces(work.places, outbox.entries), [work.places, outbox.entries]);
  const troubled = outbox.entries.find((entry) => entry.state !== "waiting") ?? null;
  const openTroubled = () => {
    if (!troubled) return;
    if (troubled.packageId === packageId) open(troubled.itemId);
    else void navigate(addressOfEntry(slug, troubled));
  };

  return (
    <div className={styles.workspace} data-testid="workspace" data-strip="">
      <header className={styles.workspaceTop}>
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
        <span className={styles.spring} />
        <ActionButtons names={DESK_TOOLS} touch={TOUCH_TOOLS} label={t("tools")} className={styles.workspaceTools} />
        <WorkSaveState status={saveStatus(work.current ? draft.phase : "saved", outbox)} onOpen={openTroubled} />
        <Link to={`/b/${slug}/packages/${packageId}`} className="button button-plain button-small" data-testid="leave">
          {t("close")}
        </Link>
      </header>
      {places && places.length > 0 ? (
        <ItemStrip places={places} current={work.current?.id ?? null} onOpen={open} />
      ) : (
        <div className={stripStyles.strip} />
      )}
      <main className={styles.workspaceBody}>
        <WorkBody
          work={work}
          view={pkg ? kindView(pkg.kind) : null}
          queue={queue}
          delivery={delivery}
          entries={outbox.entries}
          waiting={outbox.waiting}
          onDraft={setDraft}
          onLeave={leave}
          onCheck={check}
          onUndecided={open}
        />
      </main>
      <FootBar>{work.current && work.ahead.length > 0 && t("ready", { count: ready })}</FootBar>
    </div>
  );
}
