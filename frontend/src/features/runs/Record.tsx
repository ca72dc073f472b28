/** Recorded settings by name, nested ones under their path. */
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import styles from "./runs.module.css";

type Entry = readonly [name: string, value: string];

/** "preprocessing.size" → "224": nested keys are joined with dots; lists of plain values take one line. */
export function flattened(value: unknown, prefix = ""): Entry[] {
  if (value === null || value === undefined) return [[prefix, "—"]];
  if (typeof value === "string") return [[prefix, value]];
  if (typeof value !== "object") return [[prefix, JSON.stringify(value)]];
  if (Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null)) return [[prefix, value.map(String).join(", ")]];
  return Object.entries(value).flatMap(([name, inner]) => flattened(inner, [prefix, name].filter((part) => part !== "").join(".")));
}

export function Record({ value, empty }: { value: unknown; empty: string }) {
  const { t } = useTranslation("runs");
  const entries = flattened(value).filter(([name]) => name !== "");
  if (entries.length === 0) return <p className="dim">{empty}</p>;
  return (
    <dl className={`facts ${styles.runRecord}`}>
      {entries.map(([name, text]) => (
        <Fragment key={name}>
          {/* Models and packages report names of their own, which are shown as they are. */}
          <dt title={name}>{t(`record.${name}`, { defaultValue: name })}</dt>
          <dd className="mono">{text === "" ? "—" : text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
