import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { kindView } from "@/kinds/registry";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { poolReviewActions } from "../actions";
import { ReviewCard } from "../review/ReviewCard";
import { useReviewSheet } from "../review/useReviewSheet";
import { EmptyPool } from "./EmptyPool";
import { PoolHead, SeatNote } from "./PoolHead";
import type { SeatRow } from "./poolSeats";
import { usePool, type PoolProps } from "./usePool";
import { usePoolSeats } from "./usePoolSeats";
import styles from "../quality.module.css";

export function ReviewPool({ pool, slug }: PoolProps) {
  const { t } = useTranslation("quality");
  const queries = useQueryClient();
  const view = kindView(pool.kind);
  const { seats, rows } = usePoolSeats(slug, "review", pool);
  const sheet = useReviewSheet<SeatRow>({
    kind: { view, rules: pool.rules },
    rows,
    itemOf: (row) => row.item,
    isOpen: (row) => row.state === "held",
    mayJudge: true,
    atEnd: "first",
    find: (id) => seats.find(id),
    put: (item) => {
      seats.judged(item.id, item);
      void queries.invalidateQueries({ queryKey: ["pool_show"] });
    },
  });
  const seated = usePool({ pool, slug, purpose: "review", seats, rows, sheet });
  useActions(poolReviewActions, { ...sheet.keys, ...seated.keys });
  if (!view) return <Empty title={t("pool.title.review")}>{t("unknownKind")}</Empty>;
  return (
    <>
      <PoolHead pool={pool} rows={rows} seated={seated} sheet={sheet} />
      {rows.length === 0 && <EmptyPool pool={pool} error={seated.claim.error} />}
      <ol className={styles.judgeSheet} data-testid="sheet">
        {rows.map((row, index) => {
          const card = sheet.card(row, index);
          return (
            <ReviewCard
              key={row.item.seat}
              {...card}
              form={row.state === "held" ? card.form : null}
              rules={pool.rules}
              view={view}
              note={<SeatNote row={row} />}
            />
          );
        })}
      </ol>
      {sheet.fullPicture}
    </>
  );
}
