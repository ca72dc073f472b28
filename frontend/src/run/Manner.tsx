/** How a run asks the questions of an item set, in words. */
import { useTranslation } from "react-i18next";
import { useLanguageName } from "@/i18n/languageName";

/** What is null is not known: the cell of a grid that names no way that there is. */
export interface MannerParts {
  setting: string;
  means: string | null;
  side: string | null;
  language: string | null;
  prompt: number | null;
  scale: string | null;
  shots: number;
}

export function useMannerWords(): (of: MannerParts) => string {
  const { t } = useTranslation("sets");
  const languageName = useLanguageName();
  return ({ setting, means, side, language, prompt, scale, shots }) => {
    const name = language === null ? "" : languageName(language);
    // The first version is what is usual; a picture is compared with the options alone, without a prompt.
    const promptText = (prompt ?? 1) > 1 ? t("promptVersion", { language: name, no: prompt }) : t("promptIn", { language: name });
    return [
      setting === "" ? "" : t(`setting.${setting}`, { defaultValue: setting }),
      means === null ? "" : t(`means.${means}`),
      side === null ? "" : t(`side.${side}`, { language: languageName("en") }),
      language === null || means === "similarity" ? "" : promptText,
      scale === null ? t("picture.noneSent") : scale === "1" ? "" : t("picture.scaledTo", { scale }),
      shots === 0 ? "" : t("start.examples", { count: shots }),
    ]
      .filter((word) => word !== "")
      .join(" · ");
  };
}

export function Manner({ of }: { of: MannerParts }) {
  return <>{useMannerWords()(of)}</>;
}
