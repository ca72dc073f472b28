/** One release: its state, its gates, its contents and its files. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, NavLink, useNavigate, useParams, useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { releaseActions } from "./actions";
import { Changes } from "./Changes";
import { Files } from "./Files";
import { Gates } from "./Gates";
import { Kinds } from "./Kinds";
import { NotIncluded } from "./NotIncluded";
import { hasFailed, isRunning, toneOf } from "./releaseSteps";
import { ReleaseSteps, NextStep, type Confirming, type Can, type Moves } from "./ReleaseSteps";
import { Progress } from "./Progress";
import { ReleaseSettings } from "./ReleaseSettings";
import { Splits } from "./Splits";
import { useMove } from "./useMove";
import styles from "./releases.module.css";
import { Warnings } from "./Warnings";

/** Milliseconds between polls while a job runs. */
const POLL_MS = 2_000;

export function ReleasePage() {
  const id = Number(useParams().releaseId);
  const release = useRead(
    "release_show",
    { path: { id } },
    { refetchInterval: (answer) => (isRunning((answer as ReleaseDetail | undefined)?.job ?? null) ? POLL_MS : false) },
  );
  return <Loaded of={release}>{(data) => <Detail key={data.id} release={data} readAt={release.dataUpdatedAt} />}</Loaded>;
}

function canOf(release: ReleaseDetail): Can {
  const busy = isRunning(release.job);
  const may = (operation: string) => !busy && release.available_actions.includes(operation);
  return {
    check: may("release_check"),
    reopen: may("release_reopen"),
    freeze: may("release_freeze") && release.gates.length === 0,
    write: may("release_write") && hasFailed(release.job),
    publish: may("release_publish") && release.missing_files.length === 0,
    // A release cannot be withdrawn while it is being frozen, but can be while its files are written.
    withdraw: release.available_actions.includes("release_withdraw") && !release.freezing,
    edit: may("release_update"),
  };
}

function Detail({ release, readAt }: { release: ReleaseDetail; readAt: number }) {
  const { t } = useTranslation("releases");
  const slug = useSlug();
  const format = useFormat();
  const may = useMay(slug);
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [confirming, setConfirming] = useState<Confirming>(null);
  const [editing, setEditing] = useState(false);
  const moves: Moves = {
    check: useMove("release_check", release.id),
    reopen: useMove("release_reopen", release.id),
    freeze: useMove("release_freeze", release.id),
    write: useMove("release_write", release.id),
    publish: useMove("release_publish", release.id),
  };
  const can = canOf(release);
  const here = `/b/${slug}/releases/${release.id}`;
  const isFrozen = release.frozen_at !== null;
  // No new runs for a withdrawn release; its earlier runs are still listed.
  const isInUse = isFrozen && release.state !== "withdrawn";
  const hasChanges = isFrozen && release.changes !== null;
  const showsChanges = hasChanges && search.has("changes");
  const isEditing = editing && can.edit;
  const ifCan = (name: keyof Can, perform: () => void) => (can[name] && !showsChanges ? perform : null);
  useActions(releaseActions, {
    check: ifCan("check", () => moves.check.go()),
    reopen: ifCan("reopen", () => moves.reopen.go()),
    freeze: ifCan("freeze", () => setConfirming("freeze")),
    write: ifCan("write", () => moves.write.go()),
    publish: ifCan("publish", () => setConfirming("publish")),
    withdraw: ifCan("withdraw", () => setConfirming("withdraw")),
    edit: ifCan("edit", () => setEditing(true)),
    changes: hasChanges && !showsChanges ? () => void navigate(`${here}?changes=`) : null,
    leaderboard: isInUse && may("leaderboard_show") ? () => void navigate(`${here}/leaderboard`) : null,
    toList: () => void navigate(showsChanges ? here : `/b/${slug}/releases`),
  });
  return (
    <Page
      title={release.label}
      lead={
        <>
          {format.list(release.kinds.map((kind) => t(`ui:kind.${kind}`)))} · <Chip tone={toneOf(release.state)}>{t(`ui:releaseState.${release.state}`)}</Chip>
        </>
      }
      actions={
        isFrozen && (
          <>
            {may("run_list") && (
              <ButtonLink to={`/b/${slug}/runs?release=${release.id}`} data-testid="to-runs">
                {t("runs")}
              </ButtonLink>
            )}
            {may("submission_list") && (
              <ButtonLink to={`${here}/submissions`} data-testid="to-submissions">
                {t("submissions")}
              </ButtonLink>
            )}
            {release.state === "published" && may("publication_show") && <PublicPage label={release.label} slug={slug} />}
            {isInUse && may("leaderboard_show") && (
              <ButtonLink look="primary" to={`${here}/leaderboard`} data-testid="to-leaderboard">
                {t("leaderboard")}
              </ButtonLink>
            )}
          </>
        )
      }
    >
      {hasChanges && (
        <nav className="tabs" aria-label={t("tabs.label")}>
          <Tab to={here} isHere={!showsChanges}>
            {t("tabs.release")}
          </Tab>
          <Tab to={`${here}?changes=`} isHere={showsChanges} testId="tab-changes">
            {t("tabs.changes")}
          </Tab>
        </nav>
      )}
      {showsChanges ? (
        <Changes release={release} />
      ) : (
        <>
          <ReleaseSteps release={release} />
          <div className={styles.releaseColumns}>
            <div>
              {isEditing ? (
                <ReleaseSettings release={release} onClose={() => setEditing(false)} />
              ) : (
                <NextStep
                  release={release}
                  can={can}
                  moves={moves}
                  confirming={confirming}
                  onConfirming={setConfirming}
                  onEdit={() => setEditing(true)}
                />
              )}
              <Progress release={release} readAt={readAt} write={moves.write} mayWrite={can.write} />
              {(release.state === "draft" || release.state === "checked") && <Gates release={release} />}
              <Warnings release={release} />
              <NotIncluded release={release} />
              <Files release={release} mayDownload={may("release_file")} mayReadKeys={may("release_key")} />
            </div>
            <aside>
              <Facts release={release} slug={slug} />
              <Splits release={release} />
              <Kinds release={release} slug={slug} />
            </aside>
          </div>
        </>
      )}
    </Page>
  );
}

/** The way to what everyone reads of the release, if its pages are open. */
function PublicPage({ label, slug }: { label: string; slug: string }) {
  const { t, i18n } = useTranslation("releases");
  const publication = useRead("publication_show", { path: { b: slug } }).data;
  const isOpen = publication?.is_open === true && publication.releases.some((row) => row.label === label && row.is_public);
  if (!publication) return null;
  if (!isOpen) {
    return (
      <ButtonLink to={`/b/${slug}/public-pages`} data-testid="to-public-pages">
        {t("notPublic")}
      </ButtonLink>
    );
  }
  return (
    <a className="button" href={`${publication.url}${i18n.language}/${label}/`} target="_blank" rel="noreferrer" data-testid="to-public-page">
      {t("publicPage")}
    </a>
  );
}

/** Both tabs share one path; the query tells which is open. */
function Tab({ to, isHere, testId, children }: { to: string; isHere: boolean; testId?: string; children: string }) {
  return (
    <NavLink to={to} aria-current={isHere ? "page" : "false"} data-testid={testId}>
      {children}
    </NavLink>
  );
}

function Facts({ release, slug }: { release: ReleaseDetail; slug: string }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  // With several kinds each has its own, in the table of kinds.
  const previous = release.by_kind.length === 1 ? (release.by_kind[0]?.previous ?? null) : null;
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">{t("facts.title")}</h2>
      <dl className="facts">
        <dt>{t("column.images")}</dt>
        <dd className="number">{release.images === null ? <span className="faint">—</span> : format.number(release.images)}</dd>
        <dt>{t("column.items")}</dt>
        <dd className="number">{format.number(release.items)}</dd>
        <dt>{t("settings.splitsFrom")}</dt>
        <dd data-testid="splits-from">{t(`settings.splitsFromChoice.${release.splits_from}`)}</dd>
        <dt>{t("facts.protocol")}</dt>
        <dd data-testid="protocol-version">
          <Link to={`/b/${slug}/protocol/versions/${release.protocol_version}`}>
            {t("facts.protocolVersion", { version: release.protocol_version })}
          </Link>
        </dd>
        <dt>{t("settings.seed")}</dt>
        <dd className="mono" data-testid="seed">
          {release.seed}
        </dd>
        <dt>{t("facts.formats")}</dt>
        <dd>{format.list(release.formats.map((one) => t(`format.${one}`, { defaultValue: one })))}</dd>
        {previous !== null && (
          <>
            <dt>{t("facts.previous")}</dt>
            <dd>
              <Link to={`/b/${slug}/releases/${previous.id}`}>{previous.label}</Link>
            </dd>
          </>
        )}
        {release.digest !== null && (
          <>
            <dt>{t("column.digest")}</dt>
            <dd className="mono" data-testid="digest">
              {release.digest}
            </dd>
          </>
        )}
      </dl>
      {release.notes !== "" && (
        <div className={styles.releaseNotes}>
          <h3>{t("settings.notes")}</h3>
          <p data-testid="notes">{release.notes}</p>
        </div>
      )}
      {release.changes !== null && (
        <p className={styles.releaseChanges}>
          <Link to={`/b/${slug}/releases/${release.id}?changes=`} data-testid="to-changes">
            {t("changes.sum", {
              added: format.number(release.changes.added),
              changed: format.number(release.changes.changed),
              removed: format.number(release.changes.removed),
            })}
          </Link>
        </p>
      )}
    </section>
  );
}
