import { useTranslation } from "react-i18next";
import type { ConsentText } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import styles from "./consent.module.css";

/** The protocol's consent text with its version; nothing where the protocol has none. */
export function ConsentBody({ text }: { text: ConsentText }) {
  const { t } = useTranslation("consent");
  const name = useLocalised();
  if (text.text === null) return null;
  return (
    <div className={styles.consentWords} tabIndex={0} role="region" aria-label={t("text")} data-testid="consent-text">
      {name(text.text)
        .split(/\n+/)
        .filter((paragraph) => paragraph.trim() !== "")
        .map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      <p className="tiny">{t("version", { version: text.version })}</p>
    </div>
  );
}
