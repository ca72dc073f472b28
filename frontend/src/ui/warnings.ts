/** Sentences for the server's warnings, with their numbers. */
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";

interface ServerWarning {
  code: string;
  params: Readonly<Record<string, unknown>>;
}

/** `chance` and the share it is about are written as percentages, other numbers as the reader writes them. */
export function useWarningText(): (warning: ServerWarning) => string {
  const { t } = useTranslation("ui");
  const format = useFormat();
  return ({ code, params }) => {
    const values = Object.entries(params).map(([name, value]) => {
      if (name === "count") return [name, value] as const; // a number chooses the plural form
      if (typeof value !== "number") return [name, String(value)] as const;
      if (name === "chance") return [name, format.percent(value)] as const;
      if (name.endsWith("_percent")) return [name, format.percent(value / 100, 0)] as const;
      return [name, format.number(value)] as const;
    });
    return t([`warning.${code}`, "warning.other"], { ...Object.fromEntries(values), code });
  };
}
