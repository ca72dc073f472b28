/** What people judge, as the protocol words it: on one line beside the work, or as a list. */
import { useTranslation } from "react-i18next";
import type { WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Gap } from "@/ui/Gap";

export function HumanChecks({ checks, short = false }: { checks: WorkRules["human_checks"]; short?: boolean }) {
  const { t } = useTranslation("kinds");
  const name = useLocalised();
  if (checks.length === 0) return null;
  if (short) {
    return (
      <p className="tiny">
        {t("text.judged")}<Gap />{checks.map((check) => name(check.name)).join(" · ")}
      </p>
    );
  }
  return (
    <>
      <h3>{t("text.judgedByPeople")}</h3>
      <ul>
        {checks.map((check) => (
          <li key={check.code}>{name(check.name)}</li>
        ))}
      </ul>
    </>
  );
}
