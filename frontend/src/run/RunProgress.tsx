/** A run's progress, for the list and for the run's own page. */
import { useTranslation } from "react-i18next";
import type { Run } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Chip } from "@/ui/Chip";
import { Gap } from "@/ui/Gap";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { useErrorText } from "@/ui/Problem";
import { remainingOf, TONES } from "./states";
import styles from "./run.module.css";

export function RunState({ run }: { run: Run }) {
  const { t } = useTranslation("runs");
  const format = useFormat();
  return (
    <Chip tone={run.status === "done" && run.failed > 0 ? "warn" : TONES[run.status]}>
      {run.status === "silent" && run.silent_s !== null
        ? t("silentFor", { time: format.duration(run.silent_s * 1000) })
        : t(`status.${run.status}`)}
    </Chip>
  );
}

export function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation("runs");
  const format = useFormat();
  const remaining = remainingOf(run);
  const facts = [
    run.expected === 0 ? t(run.set.origin === "rolling" ? "nothingYet" : "nothingHere") : remaining === 0 ? t(run.failed > 0 ? "allTried" : "upToDate") : t("remaining", { number: format.number(remaining) }),
    ...(run.per_minute !== null && remaining > 0 ? [t("perMinute", { number: format.number(run.per_minute, run.per_minute < 10 ? 1 : 0) })] : []),
    ...(run.seconds_left !== null && remaining > 0 ? [t("timeRemaining", { time: format.duration(run.seconds_left * 1000) })] : []),
    ...(run.failed > 0 ? [t("failed", { number: format.number(run.failed) })] : []),
    ...(run.status === "running" && run.worker.workers > 1 ? [t("workers", { count: run.worker.workers })] : []),
  ];
  return (
    <>
      <div className={styles.progress}>
        <Meter value={run.done} of={run.expected} label={t("progress")} />
        <span className="number" data-testid="run-done">
          {format.number(run.done)} / {format.number(run.expected)}
        </span>
      </div>
      <p className={`${styles.told} number`}>{facts.join(" · ")}</p>
    </>
  );
}

/** Warnings about a run; nothing while it goes well. */
export function RunTrouble({ run }: { run: Run }) {
  const { t } = useTranslation("runs");
  const errorText = useErrorText();
  const format = useFormat();
  // The time of day, because "now" beside "no worker" would be no news of it.
  const lastSeen = run.worker.last_seen === null ? "" : ` ${t("lastSeen", { time: format.exact(run.worker.last_seen) })}`;
  return (
    <>
      {run.status === "no_worker" && (
        <Notice tone="warn">
          <span data-testid="no-worker">
            {t("noWorker")}
            {lastSeen}
          </span>
        </Notice>
      )}
      {run.status === "silent" && (
        <Notice tone="warn">
          <span data-testid="silent">
            {t("silentText")}
            {lastSeen}
          </span>
        </Notice>
      )}
      {run.status === "paused" && <Notice>{t("pausedText")}</Notice>}
      {run.last_error && (
        <Notice tone="bad">
          <span data-testid="run-error" data-code={run.last_error.code}>
            {t("lastError")}<Gap />{errorText({ code: run.last_error.code, params: run.last_error.params })}
          </span>
        </Notice>
      )}
    </>
  );
}
