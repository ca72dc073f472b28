import { useTranslation } from "react-i18next";
import type { PoolSheet } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { UndoButton } from "../sheetEnd";
import type { SeatRow } from "./poolSeats";
import type { Pool } from "./usePool";
import styles from "../quality.module.css";

interface PoolHeadProps {
  pool: PoolSheet;
  rows: readonly SeatRow[];
  seated: Pool;
  sheet: { open: number; canUndo: boolean; undo: () => void };
}

/** How many items the pool has, until when one's own are reserved, and taking more. */
export function PoolHead({ pool, rows, seated, sheet }: PoolHeadProps) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const { claim, room, wanted } = seated;
  const leases = rows.filter((row) => row.state === "held").map((row) => row.item.lease_until);
  const until = leases.sort()[0];
  const lost = rows.filter((row) => row.state === "lost").length;
  return (
    <div className={styles.poolHead}>
      <dl className={styles.poolCounts} data-testid="pool-counts">
        {(["free", "held", "done"] as const).map((name) => (
          <div key={name}>
            <dt>{t(`pool.count.${name}`)}</dt>
            <dd className="number" data-testid={`pool-${name}`}>
              {format.number(pool[name])}
            </dd>
          </div>
        ))}
      </dl>
      <p className="dim pool-lease" data-testid="lease">
        {until === undefined
          ? t("pool.people", { people: pool.people, maximum: pool.held_maximum })
          : t("pool.lease", { count: leases.length, time: format.time(until) })}
      </p>
      <div className="row-actions">
        <UndoButton sheet={sheet} />
        {room > 1 && (
          <select
            className={`input ${styles.poolCount}`}
            aria-label={t("pool.howMany")}
            value={wanted}
            onChange={(event) => seated.setCount(Number(event.target.value))}
            data-testid="pool-how-many"
          >
            {Array.from({ length: room }, (_, index) => (
              <option key={index + 1} value={index + 1}>
                {index + 1}
              </option>
            ))}
          </select>
        )}
        <Button
          small
          look={sheet.open === 0 ? "primary" : undefined}
          keys="Mod+Enter"
          busy={claim.isPending}
          disabled={wanted === 0 || sheet.open > 0}
          onClick={() => void seated.claimMore()}
          data-testid="pool-claim"
        >
          {wanted === 0 ? t("pool.full") : t("pool.claim", { number: wanted })}
        </Button>
      </div>
      {lost > 0 && <Notice tone="warn">{t("pool.expired", { count: lost })}</Notice>}
      {claim.error && rows.length > 0 && <Problem error={claim.error} />}
    </div>
  );
}

/** The package an item is of, and whether it is still the reader's to judge. */
export function SeatNote({ row }: { row: SeatRow }) {
  const { t } = useTranslation("quality");
  return (
    <>
      {row.item.package_label} {row.state === "lost" && <Chip tone="warn">{t("pool.seatExpired")}</Chip>}
    </>
  );
}
