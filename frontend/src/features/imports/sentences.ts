/** Why a row was refused, in the reader's words. */
import { useTranslation } from "react-i18next";
import type { ImportRow } from "@/api/types";

interface FoundThere {
  code: string;
  field: string;
  params: Record<string, unknown>;
}

/** The findings that stopped a row, as far as the report has them. */
function findingsOf(params: Record<string, unknown>): FoundThere[] {
  const found = params.findings;
  return Array.isArray(found) ? found.filter((one): one is FoundThere => typeof (one as FoundThere | null)?.code === "string") : [];
}

/** `captions.2` → 3, `pairs.0.answer` → 1: which of an item's texts a finding is about, counted from 1. */
export function placeOf(field: string): number | null {
  const place = /\.(\d+)/.exec(field)?.[1];
  return place === undefined ? null : Number(place) + 1;
}

export function useRowSentences(kind: string): (row: Pick<ImportRow, "code" | "params">) => string[] {
  const { t } = useTranslation("imports");
  return ({ code, params }) => {
    if (code === null) return [];
    const state = typeof params.state === "string" ? t([`ui:itemState.${params.state}`, `ui:imageState.${params.state}`], params.state) : "";
    const first = t([`imports:code.${code}`, `errors:${code}`, "imports:code.other"], { ...params, state, code });
    const found = findingsOf(params).map((finding) => {
      const { other } = finding.params;
      const values = { ...finding.params, ...(typeof other === "number" ? { other: other + 1 } : {}), code: finding.code };
      const said = t([`kinds:${kind}.finding.${finding.code}`, "imports:code.finding"], values);
      const place = placeOf(finding.field);
      return place === null ? said : t("at", { place, said });
    });
    return [first, ...found];
  };
}
