/** Translates why a row was refused. */
import { useTranslation } from "react-i18next";
import type { ImportRow } from "@/api/types";

interface Finding {
  code: string;
  field: string;
  params: Record<string, unknown>;
}

/** The findings in a report row's parameters. */
function findingsOf(params: Record<string, unknown>): Finding[] {
  const { findings } = params;
  return Array.isArray(findings) ? findings.filter((one): one is Finding => typeof (one as Finding | null)?.code === "string") : [];
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
    const findings = findingsOf(params).map((finding) => {
      const { other } = finding.params;
      const values = { ...finding.params, ...(typeof other === "number" ? { other: other + 1 } : {}), code: finding.code };
      const sentence = t([`kinds:${kind}.finding.${finding.code}`, "imports:code.finding"], values);
      const place = placeOf(finding.field);
      return place === null ? sentence : t("at", { place, sentence });
    });
    return [first, ...findings];
  };
}
