/** Accepted pictures of each category against the protocol's quota, the furthest behind first. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { QuotaList } from "@/ui/QuotaList";
import styles from "../home.module.css";

type Pictures = Answer<"board_show">["pictures"];
type Row = Pictures["categories"][number];

/** The share of its goal a category has reached; without a goal nothing is missing. */
function reached(row: Row): number {
  const goal = row.target ?? row.minimum;
  return goal === null || goal === 0 ? 1 : row.n / goal;
}

export function PictureQuota({ pictures, slug }: { pictures: Pictures; slug: string }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const name = useLocalised();
  const withQuota = pictures.categories.filter((row) => row.minimum !== null);
  const enough = withQuota.filter((row) => row.n >= (row.minimum ?? 0)).length;
  const rows = [...pictures.categories].sort((a, b) => reached(a) - reached(b));
  return (
    <section aria-labelledby="board-pictures" className={styles.boardPictures} data-testid="board-pictures">
      <h3 id="board-pictures">{t("board.pictures")}</h3>
      <p className="dim">
        <Link to={`/b/${slug}/pictures?state=accepted`}>{t("board.acceptedPictures", { number: format.number(pictures.accepted) })}</Link>
        {withQuota.length > 0 && ` · ${t("board.quota", { enough: format.number(enough), total: format.number(withQuota.length) })}`}
      </p>
      {rows.length > 0 && (
        <QuotaList
          label={t("board.pictures")}
          rows={rows.map((row) => ({
            ...row,
            name: name(row.name) || row.slug,
            accepted: row.n,
            to: `/b/${slug}/pictures?state=accepted&category=${encodeURIComponent(row.slug)}`,
          }))}
        />
      )}
    </section>
  );
}
