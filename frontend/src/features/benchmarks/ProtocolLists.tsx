/** The long lists beside a protocol: countries with their languages, and categories by field. */
import { useTranslation } from "react-i18next";
import type { Benchmark, Localised, Pair } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import styles from "./benchmarks.module.css";

export function Pairs({ pairs }: { pairs: readonly Pair[] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const continents = [...new Set(pairs.map((pair) => pair.continent))];
  return (
    <section className={`card ${styles.wide}`}>
      <h2>{t("protocol.pairs", { count: pairs.length })}</h2>
      <div className={styles.fields}>
        {continents.map((continent) => (
          <section key={continent}>
            <h3>{t([`continent.${continent}`, continent])}</h3>
            <ul className="dim">
              {pairs
                .filter((pair) => pair.continent === continent)
                .map((pair) => (
                  <li key={pair.slug}>
                    {name(pair.country)} · {name(pair.language)} <span className="faint">{t([`script.${pair.script}`, pair.script])}</span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

export function Categories({ categories }: { categories: Benchmark["categories"] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const fields = new Map<string, { name: Localised; categories: Benchmark["categories"] }>();
  for (const category of categories) {
    const field = fields.get(category.field.slug) ?? { name: category.field.name, categories: [] };
    field.categories.push(category);
    fields.set(category.field.slug, field);
  }
  return (
    <section className={`card ${styles.wide}`}>
      <h2>{t("protocol.categories", { categories: categories.length, fields: fields.size })}</h2>
      <div className={styles.fields}>
        {[...fields].map(([slug, field]) => (
          <section key={slug}>
            <h3>{name(field.name)}</h3>
            <ul className="dim">
              {field.categories.map((category) => (
                <li key={category.slug}>
                  {name(category.name)}
                  {category.definition && <p className="tiny">{name(category.definition)}</p>}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

/** The further dimensions of the pictures, each with its values. */
export function Dimensions({ axes }: { axes: Benchmark["axes"] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  if (axes.length === 0) return null;
  return (
    <section className={`card ${styles.wide}`} data-testid="dimensions">
      <h2>{t("protocol.dimensions", { count: axes.length })}</h2>
      <div className={styles.fields}>
        {axes.map((axis) => (
          <section key={axis.code}>
            <h3>{name(axis.name)}</h3>
            <ul className="dim">
              {axis.values.map((value) => (
                <li key={value.slug}>{name(value.name)}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}
