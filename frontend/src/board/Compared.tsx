/** Two systems compared on what both answered, with the difference in words. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { SystemsCompared } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Whisker } from "@/ui/Whisker";
import { verdictOf } from "./pair";
import styles from "./board.module.css";

interface Props {
  compared: SystemsCompared;
  names: { one: string; other: string };
  /** What both were compared on, in words, with the share of each. */
  shares: (values: { n: string; shareOne: string; shareOther: string }) => string;
  /** Where the counts of what only one has right lead. */
  links?: { one?: string | undefined; other?: string | undefined };
}

export function Compared({ compared, names, shares, links = {} }: Props) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  const { n, both, only_one: onlyOne, only_other: onlyOther, neither, difference, low, high, p } = compared;
  if (n === 0 || difference === null) return <p className="dim">{t("compare.nothing")}</p>;
  const points = (share: number) => format.number(share * 100, 1, 1);
  const hasInterval = low !== null && high !== null;
  const verdict = verdictOf(compared);
  const values = {
    ...names,
    points: points(Math.abs(difference)),
    // Worded from the leading system's side.
    low: hasInterval ? points(verdict === "other" ? -high : low) : "",
    high: hasInterval ? points(verdict === "other" ? -low : high) : "",
  };
  const reach = Math.max(0.05, ...[difference, low ?? 0, high ?? 0].map(Math.abs));
  const cells = [
    [t("compare.both"), both, undefined],
    [t("compare.only", { name: names.one }), onlyOne, links.one],
    [t("compare.only", { name: names.other }), onlyOther, links.other],
    [t("compare.neither"), neither, undefined],
  ] as const;
  return (
    <div className={`card ${styles.compared}`} data-testid="compared" data-verdict={verdict} data-difference={difference}>
      <p>
        {shares({ n: format.number(n), shareOne: format.percent((both + onlyOne) / n, 1, 1), shareOther: format.percent((both + onlyOther) / n, 1, 1) })}
      </p>
      <p>
        <b>{t(`compare.verdict.${verdict}`, values)}</b>{" "}
        {p !== null && (p < 0.001 ? t("compare.pTiny") : t("compare.p", { p: format.number(p, 3) }))}
      </p>
      {hasInterval && (
        <p className={styles.difference}>
          <Whisker
            value={difference}
            low={low}
            high={high}
            from={-reach}
            to={reach}
            mark={0}
            label={t("compare.whisker", { ...names, points: points(difference), low: points(low), high: points(high) })}
          />
          <span className="number">
            {difference > 0 ? "+" : ""}
            {t("points", { number: points(difference) })}{" "}
            <span className="tiny">
              {points(low)} … {points(high)}
            </span>
          </span>
        </p>
      )}
      <dl className={styles.fourfold}>
        {cells.map(([name, number, link], index) => (
          <div key={index}>
            <dt className="tiny">{name}</dt>
            <dd className="number">{link === undefined || number === 0 ? format.number(number) : <Link to={link}>{format.number(number)}</Link>}</dd>
          </div>
        ))}
      </dl>
      <p className="tiny">{t([`method.${compared.method}`, "method.other"], { method: compared.method, images: format.number(compared.images) })}</p>
    </div>
  );
}
