import { useTranslation } from "react-i18next";
import { SelectField } from "@/ui/Field";

interface KindSelectProps {
  kind: string;
  kinds: readonly string[];
  onKind: (kind: string) => void;
}

/** Which kind of work is shown, where teams do several. */
export function KindSelect({ kind, kinds, onKind }: KindSelectProps) {
  const { t } = useTranslation("team");
  if (kinds.length < 2) return null;
  return (
    <SelectField label={t("kind")} value={kind} onChange={(event) => onKind(event.target.value)} data-testid="choose-kind">
      {kinds.map((one) => (
        <option key={one} value={one}>
          {t(`ui:kind.${one}`)}
        </option>
      ))}
    </SelectField>
  );
}
