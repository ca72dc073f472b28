/** The other scored runs on the same entry. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Prediction } from "@/api/types";
import { Manner } from "@/run/Manner";
import { Outcome } from "./Outcome";
import styles from "./samples.module.css";

export function Others({ sample, slug }: { sample: Prediction; slug: string }) {
  const { t } = useTranslation("samples");
  return (
    <section className="card" aria-labelledby="sample-others" data-testid="others">
      <h2 id="sample-others">{t("others.title")}</h2>
      {sample.others.length === 0 && <p className="dim">{t("others.none")}</p>}
      <ul className={styles.others}>
        {sample.others.map((one) => (
          <li key={one.run} data-testid={`other-${one.run}`}>
            <div className={styles.head}>
              <Link to={`/b/${slug}/runs/${one.run}/samples/${sample.no}`}>{one.system.name}</Link>
              <span className={styles.chips}>
                {one.result && one.result.extracted !== "" && <bdi className={styles.short}>{one.result.extracted}</bdi>}
                {one.result && <Outcome of={one.result.outcome} />}
              </span>
            </div>
            <span className={`tiny ${styles.manner}`}>
              <Manner of={one.manner} />
            </span>
            {one.text !== "" && (
              <p className={`dim ${styles.raw}`} dir="auto">
                {one.text}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
