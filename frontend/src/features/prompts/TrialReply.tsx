/** What came back for a prompt that was sent, with its tokens and cost. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useRead } from "@/api/queries";
import type { Trial } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import styles from "./prompts.module.css";

/** Milliseconds between looks at a reply that is not there yet. */
const EVERY_MS = 1000;

function isOpen(trial: Trial | undefined): boolean {
  return trial === undefined || trial.state === "queued" || trial.state === "running";
}

export function TrialReply({ slug, id }: { slug: string; id: number }) {
  const { t } = useTranslation("prompts");
  const trial = useRead("answer_show", { path: { id } }, { refetchInterval: (answer) => (isOpen(answer as Trial | undefined) ? EVERY_MS : false) });
  return (
    <div role="status" className={styles.message} data-testid="trial">
      <h3>{t("try.reply")}</h3>
      <Loaded of={trial}>{(data) => <Outcome slug={slug} trial={data} />}</Loaded>
    </div>
  );
}

function Waiting({ trial }: { trial: Trial }) {
  const { t } = useTranslation("prompts");
  if (!trial.worker_alive) return <p className="wrong">{t("try.noWorker")}</p>;
  if (trial.limited_until === null) return <p className="dim">{t("try.waits")}</p>;
  return (
    <Notice tone="warn">
      <Time at={trial.limited_until} sentence={(time) => t("try.limited", { time })} />
    </Notice>
  );
}

function Outcome({ slug, trial }: { slug: string; trial: Trial }) {
  const { t } = useTranslation("prompts");
  if (isOpen(trial)) return <Waiting trial={trial} />;
  const { reply } = trial;
  if (reply === null) return <Problem error={{ code: trial.error_code ?? "internal_error", params: trial.error_params }} />;
  return (
    <>
      {reply.text === null ? (
        <Notice tone="warn">{t("try.filtered")}</Notice>
      ) : (
        <pre tabIndex={0} aria-label={t("try.reply")} data-testid="trial-text">
          {reply.text === "" ? t("try.empty") : reply.text}
        </pre>
      )}
      <p className="tiny" data-testid="trial-facts">
        {[
          t("try.used", { tokensIn: reply.tokens_in ?? "–", tokensOut: reply.tokens_out ?? "–" }),
          reply.finish === "length" ? t("try.cut") : null,
          reply.paid_before ? t("try.paidBefore") : reply.currency === null ? t("try.noCost") : `${reply.cost ?? "–"} ${reply.currency}`,
          reply.cost_is_estimate && !reply.paid_before ? t("try.estimated") : null,
        ]
          .filter(Boolean)
          .join(" · ")}{" "}
        {reply.call_id !== null && <Link to={`/b/${slug}/spending/calls/${String(reply.call_id)}`}>{t("try.call", { id: reply.call_id })}</Link>}
      </p>
    </>
  );
}
