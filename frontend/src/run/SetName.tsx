/** What an item set is called: its own name, that of its release, or that it is accepted work. */
import { useTranslation } from "react-i18next";
import type { ItemSet } from "@/api/types";

type Named = Pick<ItemSet, "name" | "origin">;

export function useSetName(): (set: Named) => string {
  const { t } = useTranslation("sets");
  return (set) => (set.origin === "rolling" ? t("origin.rolling") : set.name);
}

export function SetName({ of }: { of: Named }) {
  const name = useSetName();
  return <>{name(of)}</>;
}
