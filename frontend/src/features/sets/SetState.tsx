/** Whether the files of a set were read, with the progress or the reason why not. */
import { useTranslation } from "react-i18next";
import type { ItemSet } from "@/api/types";
import { Chip, type Tone } from "@/ui/Chip";
import { Meter } from "@/ui/Meter";
import { useErrorText } from "@/ui/Problem";
import { WaitReason } from "@/ui/WaitReason";
import { useSetFault } from "./faults";
import styles from "./sets.module.css";

const TONES: Readonly<Record<ItemSet["state"], Tone | undefined>> = { waiting: undefined, ready: "good", refused: "bad" };

/** Whether the state can change without the person: a job that failed is not tried again. */
export function isReading({ state, job }: Pick<ItemSet, "state" | "job">): boolean {
  return state === "waiting" && job?.state !== "failed";
}

export function SetState({ row }: { row: ItemSet }) {
  const { t } = useTranslation("sets");
  const sentence = useSetFault();
  const errorText = useErrorText();
  const { job } = row;
  if (row.state === "waiting" && job?.state === "failed") {
    return (
      <>
        <Chip tone="bad">{t("state.failed")}</Chip>
        <p className={`tiny ${styles.fault}`}>{errorText({ code: job.error_code ?? "internal_error", params: job.error_params })}</p>
      </>
    );
  }
  return (
    <>
      <Chip tone={TONES[row.state]}>{t(`state.${row.state}`)}</Chip>
      {row.state === "waiting" && job?.total != null && (
        <span className={styles.progress}>
          <Meter value={job.done} of={job.total} label={t("state.waiting")} />
          <span className="tiny number">{t("progress", { done: job.done, total: job.total })}</span>
        </span>
      )}
      {row.state === "waiting" && <WaitReason job={job} />}
      {row.fault !== null && (
        <p className={`tiny ${styles.fault}`} data-testid="set-fault">
          {sentence(row.fault)}
        </p>
      )}
    </>
  );
}
