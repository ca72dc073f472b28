/** The progress of a fetch, or that no worker runs; checking a server is one step. */
import { useTranslation } from "react-i18next";
import type { System } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Meter } from "@/ui/Meter";
import { useErrorText } from "@/ui/Problem";
import { waitReason } from "@/ui/WaitReason";
import { KIB } from "./states";
import styles from "./systems.module.css";

export function FetchProgress({ system }: { system: Pick<System, "job" | "worker" | "server"> }) {
  const { t } = useTranslation("systems");
  const format = useFormat();
  const errorText = useErrorText();
  const { job, worker } = system;
  if (job === null) return null;
  const waits = worker?.alive === false;
  const reason = waitReason(job);
  if (system.server !== "")
    return (
      <p className={waits ? "wrong" : "dim"} data-testid="fetch-progress">
        {t(waits ? "serve.noWorker" : "serve.asking")}
      </p>
    );
  return (
    <div className={styles.systemFetch} data-testid="fetch-progress">
      {job.total !== null && <Meter value={job.done} of={job.total} label={t("fetch.progress")} />}
      <span className={waits || reason !== null ? "wrong" : "dim number"}>
        {waits
          ? t("fetch.noWorker")
          : reason !== null
            ? format.sentences([errorText(reason), t("fetch.resumes")])
            : job.total === null
              ? t("fetch.waits")
              : t("fetch.at", { done: format.bytes(job.done * KIB), total: format.bytes(job.total * KIB) })}
      </span>
    </div>
  );
}
