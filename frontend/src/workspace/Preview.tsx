/** The text as it is now, as those who check it will see it: first without the answer. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WorkItem, WorkRules } from "@/api/types";
import { CheckContent } from "@/kinds/CheckContent";
import type { Content, KindView } from "@/kinds/kind";
import { Button } from "@/ui/Button";
import styles from "./workspace.module.css";

interface PreviewProps {
  item: Pick<WorkItem, "id">;
  content: Content;
  rules: WorkRules;
  view: KindView;
  onClose: () => void;
}

export function Preview({ item, content, rules, view, onClose }: PreviewProps) {
  const { t } = useTranslation("workspace");
  const [isRevealed, setRevealed] = useState(view.Check === undefined);
  return (
    <section className={styles.preview} aria-label={t("action.preview")} data-testid="preview">
      <p className="tiny">{t("preview.lead")}</p>
      <CheckContent view={view} content={content} rules={rules} seed={item.id} isRevealed={isRevealed} />
      <div className="row-actions">
        {view.Check && (
          <Button small aria-pressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
            {t(isRevealed ? "preview.hide" : "preview.show")}
          </Button>
        )}
        <Button small keys="Alt+p" onClick={onClose}>
          {t("ui:close")}
        </Button>
      </div>
    </section>
  );
}
