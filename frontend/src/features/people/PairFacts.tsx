/** The country, language and script of a pair. */
import { useTranslation } from "react-i18next";
import type { Pair } from "@/api/types";
import { useLocalised } from "@/i18n/localised";

export function PairFacts({ pair }: { pair: Pair }) {
  const { t } = useTranslation("people");
  const name = useLocalised();
  return (
    <p className="dim" data-testid={`pair-${pair.slug}`}>
      {t("teams.pairFacts", {
        country: name(pair.country),
        language: name(pair.language),
        script: t([`benchmarks:script.${pair.script}`, pair.script]),
      })}
    </p>
  );
}
