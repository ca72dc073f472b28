/** The charts as the server draws them for papers, in the page's colours and language, and everything to take away. */
import { useTranslation } from "react-i18next";
import { useInterfaceLanguage } from "@/i18n/localised";
import { Menu } from "@/ui/Menu";
import { useTheme } from "@/ui/theme";
import type { Leaderboard } from "./board";
import styles from "./leaderboard.module.css";

type Chart = Leaderboard["charts"][number];

function addressOf({ name, url }: Chart, options: Readonly<Record<string, string>>, as = name): string {
  const address = url.replace(`/${name}`, `/${as}`);
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(options).toString()}`;
}

/** "groups-category.svg" → "groups-category" */
function stemOf(name: string): string {
  return name.replace(/\.\w+$/, "");
}

export function Charts({ charts, stamp }: { charts: readonly Chart[]; stamp: string }) {
  const { t } = useTranslation("leaderboard");
  const theme = useTheme();
  const lang = useInterfaceLanguage();
  const drawn = charts.filter((chart) => chart.name.endsWith(".svg"));
  if (drawn.length === 0) return null;
  return (
    <section aria-labelledby="board-charts" className={styles.boardPart}>
      <h2 id="board-charts">{t("charts.title")}</h2>
      <p className="dim">{t("charts.text")}</p>
      <div className={styles.boardCharts}>
        {drawn.map((chart) => {
          const stem = stemOf(chart.name);
          const name = t([`chart.${stem}`, "chart.other"], { name: stem });
          return (
            <figure key={chart.name} className="card" data-testid={`chart-${stem}`}>
              {/* The stamp makes another address for the browser after new scores, and never reaches the server. */}
              <div className={styles.boardDrawing} tabIndex={0} role="group" aria-label={name}>
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
export function Downloads({ charts }: { charts: readonly Chart[] }) {
  const { t } = useTranslation("leaderboard");
  const lang = useInterfaceLanguage();
  if (charts.length === 0) return null;
  return (
    <Menu
      label={t("downloads")}
      text={t("downloads")}
      right
      testId="downloads"
      entries={charts.map((chart) => ({
        key: chart.name,
        text: chart.name,
        href: addressOf(chart, { theme: "light", lang }),
        testId: `download-${chart.name}`,
      }))}
    />
  );
}
