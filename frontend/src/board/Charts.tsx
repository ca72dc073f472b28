/** The charts as the server draws them for papers, in the page's colours and language, and everything to take away. */
import { useTranslation } from "react-i18next";
import { useInterfaceLanguage } from "@/i18n/localised";
import { Menu } from "@/ui/Menu";
import { useTheme } from "@/ui/theme";
import type { BoardFile } from "@/api/types";
import styles from "./board.module.css";

function addressOf({ name, url }: BoardFile, options: Readonly<Record<string, string>>, as = name): string {
  const address = url.replace(`/${name}`, `/${as}`);
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(options).toString()}`;
}

/** "groups-category.svg" → "groups-category" */
function stemOf(name: string): string {
  return name.replace(/\.\w+$/, "");
}

export function Charts({ charts, stamp, id = "board-charts" }: { charts: readonly BoardFile[]; stamp: string; id?: string }) {
  const { t } = useTranslation("leaderboard");
  const theme = useTheme();
  const lang = useInterfaceLanguage();
  const drawn = charts.filter((chart) => chart.name.endsWith(".svg"));
  if (drawn.length === 0) return null;
  return (
    <section aria-labelledby={id} className={styles.part}>
      <h2 id={id}>{t("charts.title")}</h2>
      <p className="dim">{t("charts.text")}</p>
      <div className={styles.charts}>
        {drawn.map((chart) => {
          const stem = stemOf(chart.name);
          const tag = stem.replace("groups-", "");
          const name = t([`chart.${stem}`, "chart.other"], { name: t(`samples:tags.${tag}`, { defaultValue: tag }) });
          return (
            <figure key={chart.name} className="card" data-testid={`chart-${stem}`}>
              {/* The stamp makes another address for the browser after new scores, and never reaches the server. */}
              <div className={styles.drawing} tabIndex={0} role="group" aria-label={name}>
                <img src={`${addressOf(chart, { theme, lang })}#${stamp}`} alt="" loading="lazy" />
              </div>
              <figcaption>
                <span>{name}</span>
                <a href={addressOf(chart, { theme: "light", lang })} download={chart.name}>
                  {t("format.svg")}
                </a>
                <a href={addressOf(chart, { theme: "light", lang }, `${stem}.png`)} download={`${stem}.png`}>
                  {t("format.png")}
                </a>
              </figcaption>
            </figure>
          );
        })}
      </div>
    </section>
  );
}

/** Downloads in the reader's language; charts have a white background for print. */
export function Downloads({ charts, testId = "downloads" }: { charts: readonly BoardFile[]; testId?: string }) {
  const { t } = useTranslation("leaderboard");
  const lang = useInterfaceLanguage();
  if (charts.length === 0) return null;
  return (
    <Menu
      label={t("downloads")}
      text={t("downloads")}
      right
      testId={testId}
      entries={charts.map((chart) => ({
        key: chart.name,
        text: chart.name,
        href: addressOf(chart, { theme: "light", lang }),
        testId: `download-${chart.name}`,
      }))}
    />
  );
}
