import { useTranslation } from "react-i18next";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";

export function NotFound() {
  const { t } = useTranslation("app");
  return (
    <Page title={t("missing.title")} narrow>
      <Empty title={t("missing.title")} actions={<ButtonLink to="/">{t("failed.home")}</ButtonLink>}>
        {t("missing.text")}
      </Empty>
    </Page>
  );
}
