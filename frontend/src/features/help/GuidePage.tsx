/** A role's guide in the reader's language. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { toApiError, type ApiError } from "@/api/errors";
import { useInterfaceLanguage } from "@/i18n/localised";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loaded } from "@/ui/Loaded";
import { Markdown } from "@/ui/markdown";
import { Page } from "@/ui/Page";
import { guideAddress, guidePicture, isGuide, loadGuide, type Guide, type GuideText } from "./guides";

const PLACES = { link: guideAddress, picture: guidePicture };

export function GuidePage() {
  const { t } = useTranslation("help");
  const { guide } = useParams();
  if (isGuide(guide)) return <GuideBody guide={guide} />;
  return (
    <Page title={t("title")} narrow>
      <Empty title={t("missing")} actions={<ButtonLink to="/help">{t("all")}</ButtonLink>}>
        {t("missingText")}
      </Empty>
    </Page>
  );
}

function GuideBody({ guide }: { guide: Guide }) {
  const { t } = useTranslation("help");
  const language = useInterfaceLanguage();
  const file = useQuery<GuideText, ApiError>({
    queryKey: ["guide", guide, language],
    queryFn: async () => {
      try {
        return await loadGuide(guide, language);
      } catch (error) {
        throw toApiError(error);
      }
    },
    staleTime: Infinity,
  });
  return (
    <Page title={file.data?.title ?? t(`guide.${guide}`)} narrow actions={<ButtonLink to="/help">{t("all")}</ButtonLink>}>
      <Loaded of={file}>{({ text }) => <Markdown text={text} lang={language} under={1} places={PLACES} />}</Loaded>
    </Page>
  );
}
