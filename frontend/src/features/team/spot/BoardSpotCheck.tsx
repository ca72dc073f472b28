/** The result of the newest spot check in which items of the team were drawn, on its board. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useList } from "@/api/queries";
import { Time } from "@/ui/Time";
import { Share } from "./SpotCheckResult";
import styles from "../team.module.css";

interface BoardSpotCheckProps {
  slug: string;
  kind: string;
  team: number;
}

export function BoardSpotCheck({ slug, kind, team }: BoardSpotCheckProps) {
  const { t } = useTranslation("team");
  const checks = useList("spot_check_list", { path: { b: slug }, query: { kind } });
  const [newest] = checks.rows.flatMap(({ drawn_at, teams }) => teams.filter((row) => row.team.id === team).map((row) => ({ drawn_at, row })));
  if (newest === undefined) return null;
  const { drawn_at, row } = newest;
  return (
    <section className={styles.boardSpotCheck} aria-label={t("spot.title")} data-testid="board-spot-check">
      <p>
        <Link to={`/b/${slug}/team/spot-checks?kind=${kind}`}>
          <Time at={drawn_at} sentence={(time) => t("spot.newest", { time })} />
        </Link>{" "}
        {t("spot.found", { count: row.right + row.wrong, right: row.right, wrong: row.wrong })}
      </p>
      <Share row={row} />
    </section>
  );
}
