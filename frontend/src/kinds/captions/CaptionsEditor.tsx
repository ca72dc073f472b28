/** Writes the captions of one picture: a field each, findings under the field they concern. */
import { useTranslation } from "react-i18next";
import type { EditorProps } from "../kind";
import { OverrideReasons } from "../text/OverrideReasons";
import { TextField } from "../text/TextField";
import { captionsOf } from "./content";
import { useSentences } from "./useSentences";
import styles from "./captions.module.css";
import textStyles from "../text/text.module.css";

export function CaptionsEditor(props: EditorProps) {
  const { itemId, content, lang, findings, reasons, field, onField, onChange, onReason } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences(content);
  return (
    <div className="captions" data-testid="captions-editor">
      <ol className="captions-slots">
        {captionsOf(content).map((caption, slot) => (
          <li key={`${itemId}-${slot}`} className={styles.captionsSlot}>
            <span className={textStyles.textNumber} aria-hidden="true">
              {slot + 1}
            </span>
            <TextField
              id={`caption-${slot + 1}`}
              path={`captions.${slot}`}
              value={caption}
              lang={lang}
              label={t("captions.slot", { number: slot + 1 })}
              findings={findings}
              emptyCode="caption_empty"
              say={say}
              reasons={reasons}
              focused={slot === field}
              onFocus={() => onField(slot)}
              onChange={(value) =>
                onChange({ captions: captionsOf(content).map((old, at) => (at === slot ? value : old)) })
              }
            />
          </li>
        ))}
      </ol>
      <OverrideReasons
        findings={findings}
        reasons={reasons}
        ask={(code) => t(`captions.override.${code}`, { defaultValue: t("text.overrideAny") })}
        onReason={onReason}
      />
    </div>
  );
}
