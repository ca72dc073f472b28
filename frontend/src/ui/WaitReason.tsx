/** Why a background job waits, other than for a worker; it continues by itself. */
import { useTranslation } from "react-i18next";
import { Gap } from "./Gap";
import { useErrorText, type CodedError } from "./Problem";

/** The part of a job that says whether it waits. */
export interface WaitingJob {
  readonly state: string;
  readonly error_code: string | null;
  readonly error_params: Readonly<Record<string, unknown>>;
}

/** What a queued job waits for, such as disk space; null while it only waits for a worker. */
export function waitReason(job: WaitingJob | null): CodedError | null {
  return job?.state === "queued" && job.error_code !== null ? { code: job.error_code, params: job.error_params } : null;
}

export function WaitReason({ job }: { job: WaitingJob | null }) {
  const { t } = useTranslation("ui");
  const errorText = useErrorText();
  const reason = waitReason(job);
  if (reason === null) return null;
  return (
    <p className="wrong" data-testid="wait-reason" data-code={reason.code}>
      {errorText(reason)}<Gap />{t("resumes")}
    </p>
  );
}
