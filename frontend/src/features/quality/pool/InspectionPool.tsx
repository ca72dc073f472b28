import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PoolItem } from "@/api/types";
import { columnsOf } from "@/item/useSheet";
import { kindView } from "@/kinds/registry";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { poolInspectActions } from "../actions";
import { InspectCard } from "../inspect/InspectCard";
import { useInspectSheet } from "../inspect/useInspectSheet";
import { inspecting, type InspectVerdict } from "../inspect/verdicts";
import { EmptyPool } from "./EmptyPool";
import { PoolHead, SeatNote } from "./PoolHead";
import type { SeatRow } from "./poolSeats";
import { usePool, type PoolProps } from "./usePool";
import { usePoolSeats } from "./usePoolSeats";
import styles from "../quality.module.css";

export function InspectionPool({ pool, slug }: PoolProps) {
  const { t } = useTranslation("quality");
  const queries = useQueryClient();
  const view = kindView(pool.kind);
  // A pool's answer does not carry one's own verdicts, so the page remembers them for the cards.
  const [given, setGiven] = useState<ReadonlyMap<number, InspectVerdict>>(new Map());
  const cards = useRef<HTMLOListElement>(null);
  const { seats, rows } = usePoolSeats(slug, "inspection", pool);
  const sheet = useInspectSheet<SeatRow, PoolItem>({
    kind: { view, rules: pool.rules },
    rows,
    itemOf: (row) => row.item,
    isOpen: (row) => row.state === "held",
    mayJudge: true,
    atEnd: "first",
    send: inspecting((item) => {
      seats.judged(item.id, {});
      void queries.invalidateQueries({ queryKey: ["pool_show"] });
    }),
    onVerdict: (item, verdict) => setGiven(new Map(given).set(item.id, verdict)),
  });
  const seated = usePool({ pool, slug, purpose: "inspection", seats, rows, sheet });
  useActions(poolInspectActions, {
    ...sheet.keys,
    ...seated.keys,
    moveRow: (step) => sheet.move(step * columnsOf(cards.current)),
  });
  if (!view) return <Empty title={t("pool.title.inspection")}>{t("unknownKind")}</Empty>;
  return (
    <>
      <PoolHead pool={pool} rows={rows} seated={seated} sheet={sheet} />
      {rows.length === 0 && <EmptyPool pool={pool} error={seated.claim.error} />}
      <ol className={styles.inspectSheet} data-testid="sheet" ref={cards}>
        {rows.map((row, index) => {
          const card = sheet.card(row, index);
          return (
            <InspectCard
              key={row.item.seat}
              {...card}
              refusing={card.refusing && row.state === "held"}
              given={(row.state === "done" ? given.get(row.item.id) : undefined) ?? null}
              rules={pool.rules}
              view={view}
              note={
                <>
                  {row.item.label} · <SeatNote row={row} />
                </>
              }
            />
          );
        })}
      </ol>
      {sheet.fullPicture}
    </>
  );
}
