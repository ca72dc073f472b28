/** Translates why a file could not be read. */
import { useTranslation } from "react-i18next";
import type { Submission } from "@/api/types";
import { useExpected } from "@/ui/expected";

type Fault = NonNullable<Submission["fault"]>;

/** In a file of predictions a list ranks. */
const OWN = { "a list": "ranked" };

export function useFaultSentence(): (fault: Fault) => string {
  const { t } = useTranslation("submissions");
  const expectedText = useExpected(OWN);
  return ({ code, line, field, expected }) =>
    t(`fault.${code}`, { line, field: field === "" ? "" : t("fault.field", { field }), expected: expectedText(expected) });
}
