import { useTranslation } from "react-i18next";
import type { ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Chip } from "@/ui/Chip";
import { TableHead } from "@/ui/TableHead";
import styles from "./releases.module.css";

export function Splits({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  const images = release.splits.reduce((sum, split) => sum + split.images, 0);
  const items = release.splits.reduce((sum, split) => sum + split.items, 0);
  const withheld = release.splits.some((split) => split.withheld);
  return (
    <section className="card" aria-labelledby="splits">
      <h2 id="splits">
        {!release.is_computed
          ? t("splits.notComputed")
          : release.as_of !== null
            ? t("splits.asOf", { time: format.exact(release.as_of) })
            : t(release.frozen_at === null ? "splits.current" : "splits.title")}
      </h2>
      <table className={`table ${styles.splits}`} data-testid="splits">
        <TableHead
          columns={[t("splits.name"), { number: t("column.images") }, { number: t("column.items") }, { number: t("splits.share") }]}
        />
        <tbody>
          {release.splits.map((split) => (
            <tr key={split.name} data-testid={`split-${split.name}`} data-withheld={split.withheld}>
              <th scope="row">
                {t(`split.${split.name}`, { defaultValue: split.name })}
                {split.withheld && (
                  <>
                    {" "}
                    <Chip tone="warn">{t("splits.withheld")}</Chip>
                  </>
                )}
              </th>
              <td className="number">{format.number(split.images)}</td>
              <td className="number">{format.number(split.items)}</td>
              <td className="number">{images === 0 ? "—" : format.percent(split.images / images)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t("splits.all")}</th>
            <td className="number">{format.number(images)}</td>
            <td className="number">{format.number(items)}</td>
            <td />
          </tr>
        </tbody>
      </table>
      <p className="tiny">{t("splits.text")}</p>
      {withheld && <p className="tiny">{t("splits.withheldText")}</p>}
    </section>
  );
}
