/** Translates why a file could not be read. */
import { useTranslation } from "react-i18next";
import type { Submission } from "@/api/types";

type Fault = NonNullable<Submission["fault"]>;

/** What the server's readers expect, in English, and the key of its translation. */
const EXPECTED: Readonly<Record<string, string>> = {
  "a list": "list",
  text: "text",
  "an object": "object",
  "an id, text or a whole number": "id",
  "one JSON object in UTF-8 on each line": "line",
  JSON: "json",
  "JSON that does not break off": "whole",
  "UTF-8": "utf8",
  "JSON lines, a JSON array, or CSV with a line of names": "form",
};

export function useFaultSentence(): (fault: Fault) => string {
  const { t } = useTranslation("submissions");
  return ({ code, line, field, expected }) => {
    const key = EXPECTED[expected];
    return t(`fault.${code}`, {
      line,
      field: field === "" ? "" : t("fault.field", { field }),
      expected: key === undefined ? expected : t(`expected.${key}`),
    });
  };
}
