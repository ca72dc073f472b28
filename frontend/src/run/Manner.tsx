/** How a run asks the questions of an item set, in words. */
import { useTranslation } from "react-i18next";
import type { RunManner } from "@/api/types";
import { useLanguageName } from "@/i18n/languageName";

export function Manner({ of: { setting, means, side, language, scale } }: { of: RunManner }) {
  const { t } = useTranslation("sets");
  const languageName = useLanguageName();
  const words = [
    t(`setting.${setting}`),
    t(`means.${means}`),
    t(`side.${side}`, { language: languageName("en") }),
    // A picture is compared with the options alone: there is no prompt.
    ...(means === "similarity" ? [] : [t("promptIn", { language: languageName(language) })]),
    ...(scale === null ? [t("picture.noneSent")] : scale === "1" ? [] : [t("picture.scaledTo", { scale })]),
  ];
  return <>{words.join(" · ")}</>;
}
