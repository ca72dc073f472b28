/** A text that was typed and can not be sent now. */
import { useTranslation } from "react-i18next";
import { Gap } from "@/ui/Gap";

export function UnsentNote({ text }: { text: string }) {
  const { t } = useTranslation("dialogues");
  if (text.trim() === "") return null;
  return (
    <p className="tiny" data-testid="unsent">
      {t("unsent")}<Gap /><q>{text}</q>
    </p>
  );
}
