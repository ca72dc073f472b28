/** Skips an item for reasons of the protocol, chosen by number, or for one in the annotator's words. It can still be written later. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Reason } from "@/api/types";
import { ReasonFields, useReasons, type Why } from "@/item/Reasons";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { skipActions } from "./actions";
import styles from "./panels.module.css";

interface SkipPanelProps {
  reasons: readonly Reason[];
  lang: string;
  onSkip: (why: Why) => void;
  onClose: () => void;
}

export function SkipPanel({ reasons, lang, onSkip, onClose }: SkipPanelProps) {
  const { t } = useTranslation("workspace");
  const fields = useRef<HTMLFieldSetElement>(null);
  const comment = useRef<HTMLTextAreaElement>(null);
  const why = useReasons(reasons, onSkip);
  useEffect(() => (reasons.length > 0 ? fields : comment).current?.focus(), [reasons.length]);
  useActions(skipActions, { count: reasons.length, choose: why.toggleAt, confirm: why.confirm, close: onClose }, { exclusive: true });

  return (
    <section className={styles.skipPanel} aria-labelledby="skip-title">
      <h2 id="skip-title">{t("skip.title")}</h2>
      <p className="tiny">{t("skip.lead")}</p>
      <fieldset ref={fields} tabIndex={-1} aria-labelledby="skip-title">
        <ReasonFields
          of={why}
          lang={lang}
          commentLabel={reasons.length > 0 ? t("skip.more") : t("skip.comment")}
          missing={t("skip.missing")}
          rows={3}
          commentField={comment}
          testId="skip"
        />
      </fieldset>
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" onClick={why.confirm} data-testid="skip-confirm">
          {t("skip.confirm")}
        </Button>
        <Button keys="Escape" onClick={onClose}>
          {t("ui:cancel")}
        </Button>
      </div>
    </section>
  );
}
