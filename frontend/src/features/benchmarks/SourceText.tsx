/** A protocol's file as it was written, comments included, to read or to keep. */
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import styles from "./benchmarks.module.css";

export function SourceText({ source, sha256, filename = "protocol.yaml" }: { source: string; sha256: string; filename?: string }) {
  const { t } = useTranslation("benchmarks");
  const address = useMemo(() => URL.createObjectURL(new Blob([source], { type: "text/yaml" })), [source]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <details className={`card ${styles.source}`} data-testid="source">
      <summary>{t("source.title")}</summary>
      <p className="tiny">
        SHA-256 <span className="mono">{sha256}</span>{" "}
        <a href={address} download={filename}>
          {t("source.keep")}
        </a>
      </p>
      {/* A long text that scrolls has to be reachable by keyboard. */}
      <pre tabIndex={0} aria-label={t("source.title")}>
        {source}
      </pre>
    </details>
  );
}
