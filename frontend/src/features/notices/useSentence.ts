/** A notice as a sentence in the reader's language. */
import { useTranslation } from "react-i18next";
import type { NoticeRow } from "./target";

export function useSentence(): (notice: NoticeRow) => string {
  const { t } = useTranslation("notices");
  return ({ code, params, actor }) => {
    const kind = typeof params.kind === "string" ? t([`ui:kind.${params.kind}`, params.kind]) : "";
    return t([`code.${code}`, "code.other"], { ...params, kind, who: actor?.name ?? t("someone") });
  };
}
