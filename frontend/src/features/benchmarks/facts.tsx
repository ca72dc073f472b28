/** How a protocol's settings are shown: facts, codes with their names, and settings that nothing uses yet. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol } from "@/api/benchmark";
import type { Localised } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { SettingTree } from "./SettingTree";
import styles from "./benchmarks.module.css";

/** Reads settings by their path and writes them for reading; a dash replaces what is missing. */
export function useSettings(content: Record<string, unknown>) {
  const format = useFormat();
  const read = (...keys: string[]) => inProtocol(content, ...keys);
  return {
    read,
    number: (...keys: string[]) => {
      const value = read(...keys);
      return typeof value === "number" ? format.number(value) : "–";
    },
    text: (...keys: string[]) => {
      const value = read(...keys);
      return typeof value === "string" ? value : "–";
    },
    list: (...keys: string[]) => {
      const value = read(...keys);
      return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
    },
  };
}

export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([term, value]) => (
        <FactRow key={term} term={term} value={value} />
      ))}
    </dl>
  );
}

export function FactRow({ term, value }: { term: string; value: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </>
  );
}

export function Range({ of, show }: { of: unknown; show: (value: number) => string }) {
  const minimum = inProtocol(of, "minimum");
  const maximum = inProtocol(of, "maximum");
  return (
    <>
      {typeof minimum === "number" ? show(minimum) : "–"} – {typeof maximum === "number" ? show(maximum) : "–"}
    </>
  );
}

export function Codes({ codes, waiting }: { codes: readonly string[]; waiting: readonly string[] }) {
  const { t } = useTranslation("benchmarks");
  if (codes.length + waiting.length === 0) return <span className="faint">–</span>;
  return (
    <ul className="chips">
      {codes.map((code) => (
        <li key={code}>
          <Chip>{t([`name.${code}`, `releases:format.${code}`, `runs:suite.${code}`, code])}</Chip>
        </li>
      ))}
      {waiting.map((code) => (
        <li key={code}>
          <Chip tone="warn" title={t("protocol.planned.chip")}>
            {t([`name.${code}`, `releases:format.${code}`, `runs:suite.${code}`, code])} · {t("protocol.planned.chip")}
          </Chip>
        </li>
      ))}
    </ul>
  );
}

export function Coded({ title, entries, numbered = false }: { title: string; entries: readonly { code: string; name: Localised }[]; numbered?: boolean }) {
  const name = useLocalised();
  if (entries.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ol className="chips">
        {entries.map((entry, i) => (
          <li key={entry.code}>
            <Chip>
              {numbered && `${String(i + 1)} `}
              {name(entry.name)}
            </Chip>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Settings that have no effect yet. */
export function Later({ of, title }: { of: unknown; title?: string }) {
  const { t } = useTranslation("benchmarks");
  if (typeof of !== "object" || of === null || Object.keys(of).length === 0) return null;
  return (
    <details className={styles.later}>
      <summary>
        {title ?? t("protocol.planned.settings")} <Chip tone="warn">{t("protocol.planned.chip")}</Chip>
      </summary>
      <SettingTree value={of} />
    </details>
  );
}
