/** The place of the best right entry, counted from 1 as people count; marked where it is among the first so many. */
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Chip } from "@/ui/Chip";

export function Rank({ rank, at }: { rank: number | null; at: number }) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  if (rank === null) return <Chip tone="warn">{t("outcome.missing")}</Chip>;
  return (
    <Chip tone={rank < at ? "good" : undefined} title={t(rank < at ? "outcome.hit" : "outcome.miss", { at })}>
      <span className="number" data-rank={rank}>
        {format.number(rank + 1)}
      </span>
    </Chip>
  );
}
