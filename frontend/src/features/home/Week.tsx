/** The person's last seven days: items written, the share accepted at the first review, the time per item. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMay } from "@/api/session";
import type { Waiting } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { WeekChart } from "./WeekChart";

export function Week({ week, slug }: { week: NonNullable<Waiting["week"]>; slug: string }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const may = useMay(slug);
  const { judged, accepted_first: first, active_ms: active } = week;
  return (
    <section className="card" aria-labelledby="week">
      <h2 id="week" className="dim">
        {t("week.title")}
      </h2>
      <p className="big" data-testid="week-written">
        {format.number(week.written)}
      </p>
      <p className="dim">{t("week.written", { accepted: format.number(week.accepted) })}</p>
      {judged > 0 && (
        <p className="dim" data-testid="week-first">
          {t("week.first", { first: format.number(first), judged: format.number(judged), rate: format.percent(first / judged) })}
        </p>
      )}
      <WeekChart byDay={week.by_day} />
      {active > 0 && (
        <p className="tiny number" data-testid="week-time">
          {t("week.time", { total: format.duration(active) })}
          {week.written > 0 && ` · ${t("week.each", { each: format.duration(active / week.written) })}`}
        </p>
      )}
      {may("quality_show") && (
        <p className="tiny">
          <Link to={`/b/${slug}/quality`}>{t("week.more")}</Link>
        </p>
      )}
    </section>
  );
}
