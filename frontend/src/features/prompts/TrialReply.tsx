/** What came back for a prompt that was sent, with its tokens and cost. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ApiError } from "@/api/errors";
import type { Trial } from "@/api/types";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import styles from "./prompts.module.css";

export function isWaiting(trial: Trial | undefined): boolean {
  return trial?.state === "queued" || trial?.state === "running";
}

interface TrialReplyProps {
  slug: string;
  of: { data: Trial | undefined; error: ApiError | null; refetch: () => unknown };
  /** Whether it was sent on this visit: then it is brought into view. */
  isNew: boolean;
}

export function TrialReply({ slug, of, isNew }: TrialReplyProps) {
  const { t } = useTranslation("prompts");
  const box = useRef<HTMLDivElement>(null);
  const state = of.data?.state;
  useEffect(() => {
    if (isNew) box.current?.scrollIntoView({ block: "nearest" });
  }, [isNew, state]);
  return (
    <div ref={box} role="status" className={`${styles.message} ${styles.trial}`} data-testid="trial">
      <h3>
        {t("try.reply")}
        {of.data && ` · ${of.data.model} · ${of.data.server}`}
      </h3>
      <Loaded of={of}>{(trial) => <Outcome slug={slug} trial={trial} />}</Loaded>
    </div>
  );
}

function Waiting({ trial }: { trial: Trial }) {
  const { t } = useTranslation("prompts");
  if (!trial.worker_alive) return <p className="wrong">{t("try.noWorker")}</p>;
  if (trial.waits_until !== null) return <Time at={trial.waits_until} sentence={(time) => t("try.waitsForCall", { time })} />;
  if (trial.limited_until === null) return <p className="dim">{t("try.waits")}</p>;
  return (
    <Notice tone="warn">
      <Time at={trial.limited_until} sentence={(time) => t("try.limited", { time })} />
    </Notice>
  );
}

/** Calls whose reply never came, each with a link. */
function UnknownCalls({ slug, trial }: { slug: string; trial: Trial }) {
  const { t } = useTranslation("prompts");
  if (trial.unknown_calls.length === 0) return null;
  return (
    <Notice tone="warn">
      <span data-testid="trial-unknown-calls">{t("try.unknownCalls", { count: trial.unknown_calls.length })}</span>
      <Gap />
      {trial.unknown_calls.map((id) => (
        <Link key={id} to={`/b/${slug}/spending/calls/${String(id)}`}>
          {t("try.call", { id })}
        </Link>
      ))}
    </Notice>
  );
}

function Outcome({ slug, trial }: { slug: string; trial: Trial }) {
  return (
    <>
      <UnknownCalls slug={slug} trial={trial} />
      {isWaiting(trial) ? <Waiting trial={trial} /> : <Reply slug={slug} trial={trial} />}
    </>
  );
}

function Reply({ slug, trial }: { slug: string; trial: Trial }) {
  const { t } = useTranslation("prompts");
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
          reply.paid_before ? t("try.paidBefore") : reply.currency === null ? t("try.noCost") : t("try.paid", { cost: reply.cost ?? "–", currency: reply.currency }),
          reply.cost_is_estimate && !reply.paid_before ? t("try.estimated") : null,
        ]
          .filter(Boolean)
          .join(" · ")}{" "}
        {reply.call_id !== null && <Link to={`/b/${slug}/spending/calls/${String(reply.call_id)}`}>{t("try.call", { id: reply.call_id })}</Link>}
      </p>
    </>
  );
}
