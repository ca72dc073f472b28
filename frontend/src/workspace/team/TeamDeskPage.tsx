/** The desk of one item of a board: the same picture, fields, panels and saving as in a package. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useMe } from "@/api/session";
import { boardDeskOf, boardOf, boardTrackOf, type BoardTrack } from "@/item/desk";
import { BaseContext } from "@/kinds/base";
import { useStore } from "@/store/useStore";
import { ActionButtons, FootBar } from "@/ui/keys";
import { useTitle } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Loading } from "@/ui/Loading";
import { deliveryOf, type Delivery, type WorkEntry } from "../saving/delivery";
import type { DraftState } from "../saving/draftSaver";
import { saveStatus } from "../saving/status";
import { WorkSaveState } from "../WorkSaveState";
import { DESK_TOOLS, TOUCH_TOOLS } from "../actions";
import { addressOfEntry } from "../address";
import { ItemStrip } from "../strip/ItemStrip";
import { DiscardVersion } from "./DiscardVersion";
import { TeamWork } from "./TeamWork";
import { useDiscardVersion } from "./useDiscardVersion";
import { useOpenItem } from "./useOpenItem";
import { useTeamPlaces } from "./useTeamPlaces";
import stripStyles from "../strip/strip.module.css";
import styles from "../workspace.module.css";

const SAVED: DraftState = { phase: "saved", savedAt: null, failure: null };

export function TeamDeskPage() {
  const itemId = Number(useParams().itemId);
  const person = useMe();
  return <TeamDesk key={`${itemId}-${person.id}`} itemId={itemId} delivery={deliveryOf(person.id)} />;
}

function TeamDesk({ itemId, delivery }: { itemId: number; delivery: Delivery }) {
  const { t } = useTranslation("workspace");
  const slug = useSlug();
  const navigate = useNavigate();
  const path = useLocation().pathname;
  const outbox = useStore(delivery.outbox);
  const [draft, setDraft] = useState<DraftState>(SAVED);
  const [open, { item, local, error }] = useOpenItem(itemId, delivery);
  // Before the item is there, the address says to which board one leaves.
  const track: BoardTrack = item ? boardTrackOf(item.track) : path.includes("/write/") ? "panel" : "peer";
  const board = boardOf(slug, track, item ? { kind: item.kind, team: item.team?.id } : {});
  const entry = outbox.entries.find((one) => one.itemId === itemId) ?? null;
  const troubled = outbox.entries.find((one) => one.state !== "waiting");
  const places = useTeamPlaces(slug, item, outbox.entries);
  useTitle(item ? `${t(`ui:kind.${item.kind}`)} · ${item.label}` : error ? t("team.unavailable") : "");
  return (
    <div className={styles.workspace} data-testid="team-desk" data-strip="">
      <header className={styles.workspaceTop}>
        <h1>{item ? t(`ui:kind.${item.kind}`) : error ? t("team.unavailable") : t("ui:loading")}</h1>
        {item && (
          <>
            {item.team && <span className="dim">{item.team.name}</span>}
            <span className="tiny">{item.label}</span>
          </>
        )}
        <span className={styles.spring} />
        <ActionButtons names={DESK_TOOLS} touch={TOUCH_TOOLS} label={t("tools")} className={styles.workspaceTools} />
        <WorkSaveState
          status={saveStatus(draft.phase, outbox)}
          onOpen={() => troubled && troubled.itemId !== itemId && void navigate(addressOfEntry(slug, troubled))}
        />
        <Link to={board} className="button button-plain button-small" data-testid="leave">
          {t("close")}
        </Link>
      </header>
      {places.length > 1 ? (
        <ItemStrip places={places} current={itemId} onOpen={(id) => void navigate(boardDeskOf(slug, track, id))} />
      ) : (
        <div className={stripStyles.strip} />
      )}
      <main className={styles.workspaceBody}>
        {item ? (
          <BaseContext value={item.base}>
            <TeamWork
              slug={slug}
              open={open}
              item={item}
              local={local}
              delivery={delivery}
              entry={entry}
              onDraft={setDraft}
              onLeave={() => void navigate(board)}
            />
          </BaseContext>
        ) : (
          <div className={styles.workspaceFinished}>
            {error ? <Problem error={error} onRetry={() => void open.load()} /> : <Loading />}
            {error && entry && entry.state !== "waiting" && <RefusedText entry={entry} delivery={delivery} onDone={() => void navigate(board)} />}
          </div>
        )}
      </main>
      <FootBar />
    </div>
  );
}

/** Beside the error of an item that cannot be shown any more: a refused text of it can still be put away. */
function RefusedText({ entry, delivery, onDone }: { entry: WorkEntry; delivery: Delivery; onDone: () => void }) {
  const { itemId: id, label } = entry;
  const version = useDiscardVersion(delivery, { id, label }, { reload: () => Promise.resolve(), onDone });
  return (
    <>
      {version.error && <Problem error={version.error} />}
      <DiscardVersion label={label} version={version} />
    </>
  );
}
