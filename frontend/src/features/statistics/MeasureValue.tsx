/** A measure of agreement with its interval; a dash where it is undefined. */
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import styles from "./statistics.module.css";

interface Measure {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export function MeasureValue({ measure }: { measure: Measure | undefined }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  const value = measure?.value ?? null;
  if (measure === undefined || value === null) {
    return (
      <span className="faint" title={t("agreement.undefined")}>
        —
      </span>
    );
  }
  return (
    <>
      {format.number(value, 2, 2)}
      {measure.low !== null && measure.high !== null && (
        <span className={`tiny ${styles.rateRange}`}>
          {format.number(measure.low, 2, 2)}
          {/* Blanks keep the dash apart from the sign of a number below zero. */}
          {measure.low < 0 || measure.high < 0 ? " – " : "–"}
          {format.number(measure.high, 2, 2)}
        </span>
      )}
    </>
  );
}
