/** Says why the files of a set are refused. */
import { useTranslation } from "react-i18next";
import type { ItemSet } from "@/api/types";
import { useExpected } from "@/ui/expected";
import { useErrorText } from "@/ui/Problem";

type Fault = NonNullable<ItemSet["fault"]>;

export function useSetFault(): (fault: Fault) => string {
  const { t } = useTranslation("sets");
  const errorText = useErrorText();
  const expectedText = useExpected();
  return ({ code, file, line, field, expected, params }) => {
    switch (code) {
      case "wrong_row":
      case "wrong_file":
        return t(`fault.${code}`, { file, line, field: field === "" ? "" : t("fault.field", { field }), expected: expectedText(expected) });
      // Here `expected` is the code of an error that has a sentence of its own.
      case "picture_refused":
      case "archive_refused":
        return t(`fault.${code}`, { file, field, expected: errorText({ code: expected, params }) });
      case "picture_missing":
        return t("fault.picture_missing", { file, expected, others: typeof params.more === "number" && params.more > 0 ? t("fault.others", { count: params.more }) : "" });
      default:
        return t(`fault.${code}`, { file, line, expected });
    }
  };
}
