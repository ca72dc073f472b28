/** Why a package was returned: how many items, the reasons by frequency, and comments. */
import { useTranslation } from "react-i18next";
import { useReasonName } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { languageOf } from "@/kinds/tree";
import { Gap } from "@/ui/Gap";
import { returnReasons } from "./reasons";
import styles from "./home.module.css";

export function Returned({ id, slug }: { id: number; slug: string }) {
  const { t } = useTranslation("home");
  const reasonName = useReasonName(slug);
  const pkg = useRead("package_show", { path: { id } }).data;
  if (!pkg) return null;
  const { items, rules } = pkg;
  const { number, reasons, comments } = returnReasons(items);
  if (number === 0) return null;
  return (
    <p className={styles.todoWhy} data-testid="returned-reason">
      {t("returned.items", { number, size: items.length })}<Gap />
      {reasons.map(({ code, n }) => (n > 1 ? t("returned.times", { reason: reasonName(code), n }) : reasonName(code))).join(" · ")}{" "}
      {comments.map((one) => (
        <q key={one} lang={languageOf(rules.content)}>
          {one}
        </q>
      ))}
    </p>
  );
}
