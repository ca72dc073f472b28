import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { AuditLine, type Decision } from "./AuditLine";
import { pageOf } from "./auditTarget";
import { Time } from "./Time";
import "./ui.css";

interface TimelineEvent extends Decision {
  id: number;
  at: string;
  actor: { id: number; name: string } | null;
  target_id: number;
  label: string;
}

/** Decisions, newest first: when, who and what; on a person's own page also the object. */
export function AuditTimeline({
  events,
  slug,
  reasonName,
  showTarget = false,
}: {
  events: readonly TimelineEvent[];
  slug: string;
  reasonName?: (code: string) => string;
  showTarget?: boolean;
}) {
  const { t } = useTranslation("ui");
  return (
    <ol className="decisions" data-testid="timeline">
      {events.map((event) => (
        <li key={event.id}>
          <span className="tiny">
            <Time at={event.at} />
          </span>
          <div>
            {!showTarget && <b>{event.actor?.name ?? t("byItself")} </b>}
            {showTarget && <AuditTargetLink event={event} slug={slug} />} <AuditLine event={event} reasonName={reasonName} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The object of a decision, as a link where it has a page. */
export function AuditTargetLink({ event, slug }: { event: TimelineEvent; slug: string }) {
  const { t } = useTranslation("ui");
  const page = pageOf(event);
  const type = t([`target.${event.target_type}`, event.target_type]);
  const text = event.label === "" ? t("targetNumbered", { type, id: event.target_id }) : event.label;
  return page === null ? <span>{text}</span> : <Link to={`/b/${slug}${page}`}>{text}</Link>;
}
