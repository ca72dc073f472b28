import { useTranslation } from "react-i18next";
import { useMay } from "@/api/session";
import { ButtonLink } from "@/ui/Button";

/** Leads from a list whose rows are changed together to what was changed before. */
export function EarlierLink({ slug }: { slug: string }) {
  const { t } = useTranslation("bulk");
  const may = useMay(slug);
  if (!may("bulk_list")) return null;
  return (
    <ButtonLink look="plain" to={`/b/${slug}/bulk`} data-testid="to-bulks">
      {t("earlier.title")}
    </ButtonLink>
  );
}
