/** Progress of checking, freezing and writing a release, and what to do when the job failed. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job, ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Problem, useErrorText } from "@/ui/Problem";
import { waitReason } from "@/ui/WaitReason";
import { hasFailed, isRunning, timeLeft, type JobProgress } from "./releaseSteps";
import type { Move } from "./useMove";
import styles from "./releases.module.css";

/** A shorter remaining time is neither reliable nor worth showing. */
const SHOWN_FROM_MS = 3_000;

const TEXTS = {
  waiting: "job.waitingText",
  queued: "job.queuedText",
  checking: "job.text",
  freezing: "job.text",
  writing: "job.text",
} as const;

export function Progress({
  release,
  readAt,
  write,
  mayWrite,
}: {
  release: ReleaseDetail;
  /** When the server sent this, in milliseconds. */
  readAt: number;
  write: Move;
  mayWrite: boolean;
}) {
  const { job } = release;
  if (job === null) return null;
  if (isRunning(job)) return <RunningJob key={job.id} release={release} job={job} readAt={readAt} />;
  if (hasFailed(job)) return <Failed release={release} job={job} write={write} mayWrite={mayWrite} />;
  return null;
}

function RunningJob({ release, job, readAt }: { release: ReleaseDetail; job: Job; readAt: number }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  const errorText = useErrorText();
  // `frozen_at` is set before the files are written: until then the snapshot is being made.
  const reason = waitReason(job);
  const work = release.frozen_at !== null ? "writing" : release.state === "draft" ? "checking" : "freezing";
  const phase = reason !== null ? "waiting" : job.state === "queued" ? "queued" : work;
  return (
    <section className="card" aria-labelledby="job" data-testid="job" data-state={job.state} data-phase={phase}>
      <h2 id="job">{t(`job.${phase}`)}</h2>
      <div className={styles.releaseJob}>
        <Meter value={job.done} of={job.total ?? 0} label={t(`job.${phase}`)} />
        {job.total !== null && (
          <span className="number dim">
            {format.number(job.done)} / {format.number(job.total)}
          </span>
        )}
      </div>
      {job.total !== null && phase === "writing" && <TimeLeft now={{ done: job.done, at: readAt }} total={job.total} />}
      {reason !== null && <p className="wrong">{errorText(reason)}</p>}
      <p className="tiny">{t(TEXTS[phase])}</p>
    </section>
  );
}

function TimeLeft({ now, total }: { now: JobProgress; total: number }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  const [first] = useState(now);
  const remaining = timeLeft(first, now, total);
  if (remaining === null || remaining < SHOWN_FROM_MS) return null;
  return (
    <p className="dim" data-testid="time-left">
      {t("job.remaining", { time: format.duration(remaining) })}
    </p>
  );
}

function Failed({ release, job, write, mayWrite }: { release: ReleaseDetail; job: Job; write: Move; mayWrite: boolean }) {
  const { t } = useTranslation("releases");
  const errorText = useErrorText();
  const isFrozen = release.frozen_at !== null;
  return (
    <>
      <Notice
        tone="bad"
        action={
          mayWrite && (
            <Button small keys="w" busy={write.busy} onClick={() => write.go()} data-testid="write">
              {t("job.again")}
            </Button>
          )
        }
      >
        <div data-testid="job-failed" data-code={job.error_code}>
          <p>
            <b>{t(isFrozen ? "job.failed" : release.state === "draft" ? "job.notChecked" : "job.notFrozen")}</b>
          </p>
          {job.error_code !== null && <p>{errorText({ code: job.error_code, params: job.error_params })}</p>}
        </div>
      </Notice>
      {write.error && <Problem error={write.error} />}
    </>
  );
}
