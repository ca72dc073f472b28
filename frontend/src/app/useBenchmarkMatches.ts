/** What the command palette finds in a benchmark: items, packages, pictures, categories and people. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useContentLanguage } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import { useDebounced } from "@/api/useDebounced";
import { useLocalised } from "@/i18n/localised";
import type { PaletteMatch, PaletteMatches } from "@/ui/keys";

/** Milliseconds without a key after which the server is asked. */
const PAUSE_MS = 150;

export function useBenchmarkMatches(slug: string, typed: string, go: (path: string) => void): PaletteMatches {
  const { t } = useTranslation("app");
  const name = useLocalised();
  const may = useMay(slug);
  const contentLanguage = useContentLanguage(slug);
  const now = typed.trim();
  const q = useDebounced(now, PAUSE_MS);
  const isSent = may("find") && q !== "" && q.length <= 100;
  const answer = useRead("find", { path: { b: slug }, query: { q } }, { enabled: isSent, keepLast: true });
  const found = isSent ? answer.data : undefined;
  const rows = useMemo((): readonly PaletteMatch[] => {
    if (found === undefined) return [];
    const open = (path: string) => () => go(`/b/${slug}/${path}`);
    const category = (one: string) => `${may("item_list") ? "items" : "pictures"}?category=${encodeURIComponent(one)}`;
    return [
      ...found.items.map((item) => ({
        key: `item ${item.id}`,
        label: item.label,
        text: item.text,
        lang: item.language?.lang ?? contentLanguage,
        dir: item.language?.dir,
        sort: t(`ui:kind.${item.kind}`),
        open: open(`items/${item.id}`),
      })),
      ...found.packages.map((one) => ({ key: `package ${one.id}`, label: one.label, sort: t("find.package"), open: open(`packages/${one.id}`) })),
      ...found.images.map((one) => ({ key: `picture ${one.id}`, label: one.label, sort: t("find.picture"), open: open(`pictures/${one.id}`) })),
      ...found.categories.map((one) => ({ key: `category ${one.slug}`, label: name(one.name), sort: t("find.category"), open: open(category(one.slug)) })),
      ...found.people.map((one) => ({ key: `person ${one.id}`, label: one.name, sort: t("find.person"), open: open(`people/${one.id}`) })),
      ...(may("item_list") ? [{ key: "all items", label: t("find.all", { search: q }), sort: "", open: open(`items?search=${encodeURIComponent(q)}`) }] : []),
    ];
  }, [found, slug, may, contentLanguage, name, q, t, go]);
  return {
    rows,
    isPending: may("find") && now !== "" && (now !== q || answer.isFetching),
    note: found?.newest_only === true ? t("find.newestOnly") : undefined,
  };
}
