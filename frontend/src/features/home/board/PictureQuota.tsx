/** Accepted pictures of each category against the protocol's quota, the furthest behind first; empty ones fold up. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { QuotaList } from "@/ui/QuotaList";
import styles from "../home.module.css";

type Pictures = Answer<"board_show">["pictures"];
type Row = Pictures["categories"][number];

/** Categories without a picture that fold up; fewer are listed. */
const MANY = 4;

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
  const folded = rows.filter((row) => row.n === 0);
  const isFolded = folded.length >= MANY;
  const list = (some: readonly Row[]) => (
    <QuotaList
      label={t("board.pictures")}
      rows={some.map((row) => ({
        ...row,
        name: name(row.name) || row.slug,
        accepted: row.n,
        to: `/b/${slug}/pictures?state=accepted&category=${encodeURIComponent(row.slug)}`,
      }))}
    />
  );
  const open = isFolded ? rows.filter((row) => row.n > 0) : rows;
  return (
    <section aria-labelledby="board-pictures" className={styles.boardPictures} data-testid="board-pictures">
      <h3 id="board-pictures">{t("board.pictures")}</h3>
      <p className="dim">
        <Link to={`/b/${slug}/pictures?state=accepted`}>{t("board.acceptedPictures", { number: format.number(pictures.accepted) })}</Link>
        {withQuota.length > 0 && ` · ${t("board.quota", { enough: format.number(enough), total: format.number(withQuota.length) })}`}
      </p>
      {open.length > 0 && list(open)}
      {isFolded && (
        <details data-testid="board-empty-categories">
          <summary>{t("board.emptyCategories", { count: folded.length })}</summary>
          {list(folded)}
        </details>
      )}
    </section>
  );
}
