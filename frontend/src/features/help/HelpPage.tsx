/** What help there is: a guide for each role, and the reference of the API. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Page } from "@/ui/Page";
import { GUIDES } from "./guides";
import styles from "./help.module.css";

export function HelpPage() {
  const { t } = useTranslation("help");
  return (
    <Page title={t("title")} lead={t("lead")} narrow>
      <ul className={styles.guides}>
        {GUIDES.map((guide) => (
          <li key={guide} className="card">
            <Link to={`/help/${guide}`}>{t(`guide.${guide}`)}</Link>
            <p className="dim">{t(`guideText.${guide}`)}</p>
          </li>
        ))}
        <li className="card">
          <Link to="/help/api">{t("api.title")}</Link>
          <p className="dim">{t("api.short")}</p>
        </li>
      </ul>
      <p className="tiny">{t("keys")}</p>
    </Page>
  );
}
