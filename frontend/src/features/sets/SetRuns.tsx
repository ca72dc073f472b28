/** The runs over an item set with their progress: those in progress first, and the newest that ended. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useRead } from "@/api/queries";
import type { ItemSetDetail, Run } from "@/api/types";
import { RunCards } from "@/run/RunCard";
import { isIn, pollAfter } from "@/run/states";
import styles from "./sets.module.css";

/** Ended runs fill the list up to this many; the scores say the rest about them. */
const SHOWN = 6;

export function SetRuns({ set, slug }: { set: ItemSetDetail; slug: string }) {
  const { t } = useTranslation("sets");
  const runs = useRead(
    "run_list",
    { path: { b: slug }, query: { item_set: set.id } },
    { refetchInterval: (answer) => pollAfter((answer as Run[] | undefined) ?? []) },
  );
  const rows = runs.data ?? [];
  if (rows.length === 0) return null;
  const going = rows.filter((run) => !isIn(run, "ended"));
  const ended = rows.filter((run) => isIn(run, "ended"));
  const shown = [...going, ...ended.slice(0, Math.max(0, SHOWN - going.length))];
  return (
    <section className={styles.scores} aria-labelledby="set-runs-title" data-testid="set-runs-list">
      <h2 id="set-runs-title">{t("runsTitle")}</h2>
      <RunCards rows={shown} slug={slug} ofOne />
      {shown.length < rows.length && (
        <p className={styles.more}>
          <Link to={`/b/${slug}/runs?set=${set.id}`}>{t("allRuns", { number: rows.length })}</Link>
        </p>
      )}
    </section>
  );
}
