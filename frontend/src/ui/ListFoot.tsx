import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button } from "./Button";

/** A list that is fetched page by page, as `useList` answers. */
export interface Paged {
  data: { pages: readonly { total: number | null; total_is_capped: boolean }[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** The end of a list: how many rows there are, and a button that fetches the next page. */
export function ListFoot({ list }: { list: Paged }) {
  const { t } = useTranslation("ui");
  const format = useFormat();
  const first = list.data?.pages[0];
  if (!first) return null;
  const total = first.total === null ? null : format.number(first.total);
  return (
    <div style={{ display: "flex", gap: 12, alignItems: "center", padding: "12px 0" }} className="dim">
      {total !== null && <span>{t("total", { total: first.total_is_capped ? t("totalCapped", { total }) : total })}</span>}
      {list.hasNextPage && (
        <Button small busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()} data-testid="more">
          {t("more")}
        </Button>
      )}
    </div>
  );
}
