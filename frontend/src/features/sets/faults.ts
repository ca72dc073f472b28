/** Says why the files of a set are refused. */
import { useTranslation } from "react-i18next";
import type { ItemSet } from "@/api/types";
import { useErrorText } from "@/ui/Problem";

type Fault = NonNullable<ItemSet["fault"]>;

/** Here `expected` is the code of an error that has a sentence of its own. */
const WITH_CODE: readonly Fault["code"][] = ["picture_refused", "archive_refused"];

export function useSetFault(): (fault: Fault) => string {
  const { t } = useTranslation("sets");
  const errorText = useErrorText();
  return ({ code, file, line, field, expected }) =>
    t(`fault.${code}`, { file, line, field, expected: WITH_CODE.includes(code) ? errorText({ code: expected, params: {} }) : expected });
}
