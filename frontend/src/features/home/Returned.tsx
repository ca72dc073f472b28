/** Why a package was returned: how many items, the reasons by frequency, and comments. */
import { useTranslation } from "react-i18next";
import { useBenchmark, useReasonName } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { contentLanguage } from "@/kinds/language";
import { returnReasons } from "./reasons";
import styles from "./home.module.css";

export function Returned({ id, slug }: { id: number; slug: string }) {
  const { t } = useTranslation("home");
  const reasonName = useReasonName(slug);
  const lang = contentLanguage(useBenchmark(slug).data);
  const items = useRead("package_show", { path: { id } }).data?.items;
  if (!items) return null;
  const { number, reasons, comments } = returnReasons(items);
  if (number === 0) return null;
  return (
    <p className={styles.todoWhy} data-testid="returned-reason">
      {t("returned.items", { number, size: items.length })}{" "}
      {reasons.map(({ code, n }) => (n > 1 ? t("returned.times", { reason: reasonName(code), n }) : reasonName(code))).join(" · ")}{" "}
      {comments.map((one) => (
        <q key={one} lang={lang}>
          {one}
        </q>
      ))}
    </p>
  );
}
