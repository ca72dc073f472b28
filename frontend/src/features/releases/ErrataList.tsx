/** The reported mistakes that one may read, by state. */
import { useTranslation } from "react-i18next";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { PagedList } from "@/ui/PagedList";
import { useFilters } from "@/ui/useFilters";
import { ErratumCard } from "./ErratumCard";
import styles from "./releases.module.css";

const STATES = ["reported", "confirmed", "rejected", "withdrawn"] as const;

export function ErrataList({ slug }: { slug: string }) {
  const { t } = useTranslation("releases");
  const filters = useFilters({ replace: true });
  const state = filters.oneOf("state", STATES);
  const list = useList("erratum_list", { path: { b: slug }, query: { state } });
  const decides = useMay(slug)("erratum_confirm");
  return (
    <>
      <ChoiceChips
        className={styles.changesFilter}
        label={t("errata.filter")}
        value={state ?? "all"}
        onChoose={(one) => filters.set({ state: one === "all" ? undefined : one })}
        choices={[
          { value: "all", text: t("errata.all"), testId: "errata-all" },
          ...STATES.map((one) => ({ value: one, text: t(`errata.state.${one}`), testId: `errata-${one}` })),
        ]}
      />
      <PagedList
        of={list}
        empty={<Empty title={t(state === undefined ? "errata.none" : "errata.noneHere")}>{t(decides ? "errata.noneText" : "errata.noneOwn")}</Empty>}
      >
        {(rows) => (
          <ul className={styles.errata} data-testid="errata">
            {rows.map((row) => (
              <ErratumCard key={row.id} row={row} slug={slug} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}
