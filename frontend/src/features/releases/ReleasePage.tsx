/** One release: what stands in its way, its splits, the freezing, and the files that came of it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { newClientKey } from "@/api/client";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Gate, Job, ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem, useErrorText } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { toasts } from "@/ui/toasts";
import { WideTable } from "@/ui/WideTable";
import { groupGates } from "./gates";
import "./releases.css";

/** A job moves on by itself; its page asks every two seconds until it has ended. */
const POLL_MS = 2_000;

function isOpen(job: Job | null): boolean {
  return job !== null && (job.state === "queued" || job.state === "running");
}

export function ReleasePage() {
  const id = Number(useParams().releaseId);
  const release = useRead(
    "release_show",
    { path: { id } },
    { refetchInterval: (answer) => (isOpen((answer as ReleaseDetail | undefined)?.job ?? null) ? POLL_MS : false) },
  );
  return <Answered of={release}>{(data) => <Detail release={data} />}</Answered>;
}

function Detail({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  const slug = useSlug();
  const may = useMay(slug);
  const format = useFormat();
  const isDraft = release.state === "draft";
  const canFreeze = release.available_actions.includes("release_freeze");
  return (
    <Page
      title={release.label}
      lead={
        <>
          {t(`ui:kind.${release.kind}`)} ·{" "}
          <Chip tone={isDraft ? undefined : "good"}>{t(`ui:releaseState.${release.state}`)}</Chip>{" "}
          <Time at={release.frozen_at ?? release.created_at} />
        </>
      }
      actions={
        !isDraft &&
        may("release_scores") && (
          <ButtonLink look="primary" to={`/b/${slug}/releases/${release.id}/scores`} data-testid="to-scores">
            {t("scores")}
          </ButtonLink>
        )
      }
    >
      <div className="release-columns">
        <div>
          {isDraft && <Gates gates={release.gates} />}
          {isDraft && canFreeze && <Freeze release={release} />}
          {release.job && <JobState job={release.job} />}
          {!isDraft && <Files release={release} mayDownload={may("release_file")} />}
        </div>
        <aside>
          <div className="card">
            <h2>{isDraft ? t("splits.wouldBe") : t("splits.title")}</h2>
            <table className="table" data-testid="splits">
              <thead>
                <tr>
                  <th scope="col">{t("splits.name")}</th>
                  <th scope="col" className="number">
                    {t("column.images")}
                  </th>
                  <th scope="col" className="number">
                    {t("column.items")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {release.splits.map((split) => (
                  <tr key={split.name} data-testid={`split-${split.name}`}>
                    <td>{t(`split.${split.name}`, { defaultValue: split.name })}</td>
                    <td className="number">{format.number(split.images)}</td>
                    <td className="number">{format.number(split.items)}</td>
                  </tr>
                ))}
                <tr>
                  <th scope="row">{t("splits.all")}</th>
                  <td className="number">{format.number(release.images)}</td>
                  <td className="number">{format.number(release.items)}</td>
                </tr>
              </tbody>
            </table>
            <p className="tiny">{t("splits.text")}</p>
            <dl className="facts">
              <dt>{t("seed")}</dt>
              <dd className="mono">{release.seed}</dd>
              {release.digest !== null && (
                <>
                  <dt>{t("column.digest")}</dt>
                  <dd className="mono" data-testid="digest">
                    {release.digest}
                  </dd>
                </>
              )}
            </dl>
          </div>
        </aside>
      </div>
    </Page>
  );
}

function Gates({ gates }: { gates: readonly Gate[] }) {
  const { t } = useTranslation("releases");
  if (gates.length === 0) {
    return (
      <Notice tone="good">
        <span data-testid="gates-open">{t("gates.open")}</span>
      </Notice>
    );
  }
  return (
    <section className="card" data-testid="gates">
      <h2>{t("gates.title")}</h2>
      <p className="dim">{t("gates.text")}</p>
      {groupGates(gates).map((group) => (
        <div key={group.code} className="gate" data-testid={`gate-${group.code}`}>
          <h3>
            {t(`gate.${group.code}`, { defaultValue: t("gate.unknown_gate", { name: group.code }), name: group.name })}{" "}
            <span className="dim number">{group.total}</span>
          </h3>
          <p className="gate-links">
            {group.gates.map((gate, index) =>
              gate.link === null ? (
                <span key={index}>{gate.label}</span>
              ) : (
                <Link key={index} to={gate.link}>
                  {gate.label}
                </Link>
              ),
            )}
            {group.total > group.gates.length && (
              <span className="dim">{t("gates.more", { number: group.total - group.gates.length })}</span>
            )}
          </p>
        </div>
      ))}
    </section>
  );
}

function Freeze({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  const [asking, setAsking] = useState(false);
  const [key] = useState(newClientKey);
  const freeze = useWrite("release_freeze", ["release_show", "release_list", "release_scores", "run_list"]);
  const blocked = release.gates.length > 0;
  return (
    <section className="card release-freeze">
      <h2>{t("freeze.title")}</h2>
      <p className="dim">{t("freeze.text", { items: release.items, images: release.images })}</p>
      {freeze.error && <Problem error={freeze.error} />}
      <div className="row-actions">
        {asking ? (
          <>
            <Button
              look="primary"
              busy={freeze.isPending}
              disabled={blocked}
              onClick={() =>
                freeze.mutate(
                  { path: { id: release.id }, body: { client_key: key } },
                  { onSuccess: () => toasts.show(t("freeze.done", { label: release.label })) },
                )
              }
              data-testid="freeze-confirm"
            >
              {t("freeze.confirm")}
            </Button>
            <Button onClick={() => setAsking(false)}>{t("ui:cancel")}</Button>
            <span className="dim">{t("freeze.forGood")}</span>
          </>
        ) : (
          <Button look="primary" disabled={blocked} onClick={() => setAsking(true)} data-testid="freeze">
            {t("freeze.button")}
          </Button>
        )}
      </div>
    </section>
  );
}

function JobState({ job }: { job: Job }) {
  const { t } = useTranslation("releases");
  const say = useErrorText();
  if (job.state === "done") return null;
  if (job.state === "failed" || job.state === "cancelled") {
    return (
      <Notice tone="bad">
        <span data-testid="job-failed">
          {t("job.failed")} {job.error_code !== null && say({ code: job.error_code, params: job.error_params })}
        </span>
      </Notice>
    );
  }
  return (
    <section className="card" data-testid="job" data-state={job.state}>
      <h2>{job.state === "queued" ? t("job.queued") : t("job.running")}</h2>
      <div className="release-job">
        <Meter value={job.done} of={job.total ?? 0} label={t("job.running")} />
        {job.total !== null && (
          <span className="number dim">
            {job.done} / {job.total}
          </span>
        )}
      </div>
      <p className="tiny">{t("job.text")}</p>
    </section>
  );
}

function Files({ release, mayDownload }: { release: ReleaseDetail; mayDownload: boolean }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  if (release.files.length === 0) return null;
  return (
    <section>
      <h2>{t("files.title")}</h2>
      <WideTable label={t("files.title")}>
        <table className="table release-files" data-testid="files">
          <thead>
            <tr>
              <th scope="col">{t("files.name")}</th>
              <th scope="col" className="number">
                {t("files.size")}
              </th>
              <th scope="col">SHA-256</th>
            </tr>
          </thead>
          <tbody>
            {release.files.map((file) => (
              <tr key={file.name} data-testid={`file-${file.name}`}>
                <td>
                  {mayDownload ? (
                    <a href={file.url} download>
                      {file.name}
                    </a>
                  ) : (
                    file.name
                  )}
                </td>
                <td className="number">{format.bytes(file.bytes)}</td>
                <td className="mono" data-sha256={file.sha256}>
                  {file.sha256}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <p className="tiny">{t("files.text")}</p>
    </section>
  );
}
