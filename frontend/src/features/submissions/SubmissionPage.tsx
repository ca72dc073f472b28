/** One submission: its state, its report, and whether the leaderboard lists it. */
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { SubmissionDetail, SubmissionReport } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { WaitReason } from "@/ui/WaitReason";
import { reportActions } from "./actions";
import { useFaultSentence } from "./faults";
import { Breakdowns, Figures } from "./Figures";
import { Hidden, Hide } from "./Hide";
import { useSubmissionPlaces } from "./places";
import { isUnfinished, statusOf, TONES } from "./status";
import styles from "./submissions.module.css";

const POLL_MS = 1_500;
const COUNTS = ["expected", "scored", "missing", "unparsable", "refused", "failed", "unknown_ids", "duplicate"] as const;

export function SubmissionPage() {
  const id = Number(useParams().submissionId);
  const read = useRead(
    "submission_show",
    { path: { id } },
    { fresh: true, refetchInterval: (answer) => (answer !== undefined && isUnfinished(answer as SubmissionDetail) ? POLL_MS : false) },
  );
  return <Loaded of={read}>{(data) => <Detail key={data.id} of={data} />}</Loaded>;
}

function Detail({ of }: { of: SubmissionDetail }) {
  const { t } = useTranslation("submissions");
  const slug = useSlug();
  const may = useMay(slug);
  const format = useFormat();
  const navigate = useNavigate();
  const places = useSubmissionPlaces();
  const toList = places.list(of.release.id);
  const on = useWrite("submission_list_on");
  const off = useWrite("submission_list_off");
  const move = of.listed ? off : on;
  const can = of.available_actions.includes(of.listed ? "submission_list_off" : "submission_list_on") && !move.isPending;
  const list = () => move.mutate({ path: { id: of.id } });
  useActions(reportActions, { list: can ? list : null, toList: () => void navigate(toList) });
  const status = statusOf(of);
  const problem = on.error ?? off.error;
  return (
    <Page
      title={of.system}
      lead={
        <>
          <span title={of.profile}>{t(`profileName.${of.profile}`, { defaultValue: of.profile })}</span> · {of.crew !== "" && <>{of.crew} · </>}{of.person.name} · <Time at={of.created_at} /> · <Link to={toList}>{t("toList")}</Link>
        </>
      }
      actions={
        of.available_actions.some((action) => action.startsWith("submission_list")) && (
          <Button look={of.listed ? undefined : "primary"} keys="l" busy={move.isPending} onClick={list} data-testid="submission-list">
            {t(of.listed ? "action.off" : "action.on")}
          </Button>
        )
      }
    >
      {problem && <Problem error={problem} />}
      <section className={`card ${styles.submissionStatus}`} aria-label={t("column.state")} data-testid="submission-status" data-status={status}>
        <p aria-live="polite">
          <Chip tone={TONES[status]}>{t(`status.${status}`)}</Chip> {of.listed && <Chip tone="accent">{t("listed")}</Chip>}
        </p>
        <Hidden of={of} />
        {of.fault !== null && <Fault of={of.fault} />}
        <WaitReason job={of.job} />
        {status === "failed" && of.job !== null && (
          <Problem error={{ code: of.job.error_code ?? "internal_error", params: of.job.error_params }} />
        )}
        {of.listed && may("leaderboard_show") && (
          <p>
            <Link to={`/b/${slug}/releases/${of.release.id}/leaderboard${of.release.kinds.length > 1 ? `?kind=${of.kind}` : ""}`}>{t("toLeaderboard")}</Link>
          </p>
        )}
        {of.listed && places.isOutside && (
          <p>
            <a href={places.publicBoard(of.release.label)} data-testid="to-public-board">
              {t("toLeaderboard")}
            </a>
          </p>
        )}
        {of.note !== "" && <p className={styles.submissionNote}>{of.note}</p>}
        <p className="dim">
          {of.state === "refused" ? (
            <span className={styles.submissionName}>{of.name}</span>
          ) : (
            <a href={`/api/v1/submissions/${of.id}/file`} download={of.name} className={styles.submissionName} data-testid="submission-download">
              {of.name}
            </a>
          )}{" "}
          {format.bytes(of.bytes)} · <span className={styles.submissionSum}>SHA-256 {of.sha256.slice(0, 16)}…</span>
        </p>
      </section>
      <Hide of={of} />
      {of.report !== null && <Report of={of.report} profile={of.profile} slug={slug} />}
    </Page>
  );
}

function Fault({ of }: { of: NonNullable<SubmissionDetail["fault"]> }) {
  const { t } = useTranslation("submissions");
  const say = useFaultSentence();
  return (
    <Notice tone="warn">
      <span data-testid="submission-fault" data-code={of.code}>
        {say(of)}
      </span>{" "}
      {t("fault.next")}
    </Notice>
  );
}

/** Says before every figure that the file answers other ids than the release has. */
function FewKnownIds({ of }: { of: NonNullable<SubmissionReport["few_known_ids"]> }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const numbers = { known: format.number(of.known), inFile: format.number(of.in_file), expected: format.number(of.expected) };
  return (
    <Notice tone="warn">
      <p data-testid="few-known-ids">{t("few.text", numbers)}</p>
      {of.unknown.length > 0 && <p>{t("few.unknown", { ids: of.unknown.join(" · ") })}</p>}
      {of.missing.length > 0 && <p>{t("few.missing", { ids: of.missing.join(" · ") })}</p>}
    </Notice>
  );
}

function Report({ of, profile, slug }: { of: SubmissionReport; profile: string; slug: string }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  return (
    <div className={styles.submissionReport} data-testid="submission-report">
      <h2>{t("report.title")}</h2>
      {of.few_known_ids !== null && <FewKnownIds of={of.few_known_ids} />}
      <p className="dim">{t(`profile.${profile}`, { defaultValue: of.source })}</p>
      <Figures of={of} />
      <p className="tiny">{t("report.interval", { resamples: format.number(of.interval.resamples), seed: of.interval.seed })}</p>
      <dl className={styles.submissionCounts} aria-label={t("report.counts")}>
        {COUNTS.map((name) => (
          <div key={name}>
            <dt>{t(`count.${name}`)}</dt>
            <dd className="number" data-testid={`count-${name}`}>
              {format.number(of[`n_${name}`])}
            </dd>
          </div>
        ))}
      </dl>
      <Breakdowns of={of} slug={slug} />
      {of.least_group > 0 && <p className="tiny">{t("report.leastGroup", { least: format.number(of.least_group) })}</p>}
    </div>
  );
}
