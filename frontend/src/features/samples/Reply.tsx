/** What a system replied, with the part that decides what was read marked; or how it scored the candidates. */
import { useTranslation } from "react-i18next";
import type { Prediction, PredictionResult } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Chip } from "@/ui/Chip";
import { Time } from "@/ui/Time";
import { Outcome } from "./Outcome";
import { useRule } from "./useRule";
import styles from "./samples.module.css";

export function Reply({ sample }: { sample: Prediction }) {
  const { t } = useTranslation("samples");
  const { reply, result } = sample;
  return (
    <section className="card" aria-labelledby="sample-reply" data-testid="reply">
      <div className={styles.head}>
        <h2 id="sample-reply">{t("reply.title")}</h2>
        <Outcome of={result.outcome} />
      </div>
      <ReplyText reply={reply} />
      {reply.candidates.length > 0 && <Candidates of={reply.candidates} />}
      <dl className="facts">
        <Read result={reply.candidates.length > 0 ? { ...result, rule: "likeliest" } : result} />
        {sample.corrected && <Read result={sample.corrected} isCorrected />}
        {reply.tokens_out !== null && (
          <>
            <dt>{t("reply.tokens")}</dt>
            <dd className="number">{t("reply.tokensOf", { in: reply.tokens_in ?? 0, out: reply.tokens_out })}</dd>
          </>
        )}
      </dl>
      <Overrides sample={sample} />
    </section>
  );
}

/** The reply itself, with the part marked that decides what was read. */
export function ReplyText({ reply }: { reply: Prediction["reply"] }) {
  const { t } = useTranslation("samples");
  if (reply.outcome === "failed") return <p className="dim">{t("reply.failed", { code: reply.error })}</p>;
  if (reply.outcome === "none") return <p className="dim">{t("reply.missing")}</p>;
  return (
    <>
      {reply.outcome === "refused" && <p className="dim">{t("reply.declined")}</p>}
      {reply.pieces.length > 0 && (
        <p className={styles.raw} dir="auto" data-testid="raw">
          {reply.pieces.map((piece, index) => (piece.is_read ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>))}
        </p>
      )}
      {reply.outcome === "answered" && reply.pieces.length === 0 && reply.candidates.length === 0 && <p className="dim">{t("reply.empty")}</p>}
      {reply.is_cut && <p className="dim">{t("reply.cut")}</p>}
    </>
  );
}

/** What was read, and by which rule; as read first, then as a person read it. */
function Read({ result, isCorrected = false }: { result: PredictionResult; isCorrected?: boolean }) {
  const { t } = useTranslation("samples");
  const rule = useRule();
  return (
    <>
      <dt>{t(isCorrected ? "reply.readByPerson" : "reply.read")}</dt>
      <dd data-testid={isCorrected ? "corrected" : "as-read"} className={styles.chips}>
        {result.extracted === "" ? <span className="faint">{t("noAnswer")}</span> : <bdi>{result.extracted}</bdi>}
        {isCorrected ? <Outcome of={result.outcome} /> : result.rule !== "" && <span className="tiny">{t("reply.rule", { rule: rule(result.rule) })}</span>}
      </dd>
    </>
  );
}

function Candidates({ of }: { of: Prediction["reply"]["candidates"] }) {
  const { t } = useTranslation("samples");
  const format = useFormat();
  const most = Math.max(...of.map((one) => one.share ?? Math.max(one.measured, 0)));
  return (
    <ol className={styles.candidates} aria-label={t("reply.candidates")} data-testid="candidates">
      {of.map((one) => (
        <li key={one.name} className={one.is_right ? styles.isRight : undefined} data-best={one.is_best}>
          <span className="mono">{one.name}</span>
          <span className={styles.candidate}>
            <bdi>{one.text}</bdi>
            <span className={styles.bar} data-best={one.is_best} style={{ width: `${most > 0 ? (Math.max(one.share ?? one.measured, 0) / most) * 100 : 0}%` }} />
          </span>
          <span className="tiny number">
            {one.share !== null && `${format.percent(one.share, 1, 1)} · `}
            {format.number(one.measured, 3, 3)}
          </span>
          {one.is_right && <Chip tone="good">{t("sample.right")}</Chip>}
        </li>
      ))}
    </ol>
  );
}

function Overrides({ sample }: { sample: Prediction }) {
  const { t } = useTranslation("samples");
  if (sample.overrides.length === 0) return null;
  return (
    <>
      <h3 className={styles.overrides}>{t("override.list")}</h3>
      {sample.corrected === null && (
        <p className="dim" role="status">
          {t("override.waiting")}
        </p>
      )}
      <ul data-testid="overrides">
        {sample.overrides.map((one, index) => (
          <li key={one.id} className={index > 0 ? "dim" : undefined}>
            <b>{one.answer ?? t("noAnswer")}</b> · {one.person.name} · <Time at={one.created_at} />
            <p className={styles.raw} dir="auto">
              {one.reason}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
