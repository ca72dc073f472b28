/** An empty hand: whether there is something to take, others hold the rest, or all is judged. */
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import type { PoolSheet } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Empty } from "@/ui/Empty";
import { Problem } from "@/ui/Problem";

const KNOWN = ["pool_empty", "nothing_left"];

export function EmptyPool({ pool, error }: { pool: PoolSheet; error: ApiError | null }) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const refusal = error !== null && KNOWN.includes(error.code) ? error : null;
  const until = typeof refusal?.params.until === "string" ? format.time(refusal.params.until) : null;
  const others = typeof refusal?.params.held === "number" ? refusal.params.held : pool.held - pool.mine;
  const minutes = Math.round(pool.lease_seconds / 60);
  return (
    <>
      {error && !refusal && <Problem error={error} />}
      {pool.free > 0 && refusal?.code !== "pool_empty" ? (
        <Empty title={t("pool.empty.free", { count: pool.free })}>{t("pool.empty.freeText", { count: minutes })}</Empty>
      ) : others > 0 && refusal?.code !== "nothing_left" ? (
        <Empty title={t("pool.empty.held", { count: others })}>
          {until === null ? t("pool.empty.heldText", { count: minutes }) : t("pool.empty.heldUntil", { time: until })}
        </Empty>
      ) : (
        <Empty title={t("pool.empty.done")}>{t("pool.empty.doneText", { count: pool.done })}</Empty>
      )}
    </>
  );
}
