/** Writes the questions about one picture, each with its answer below; findings under the field they concern. */
import { useTranslation } from "react-i18next";
import type { EditorProps } from "../kind";
import { OverrideReasons } from "../text/OverrideReasons";
import { TextField } from "../text/TextField";
import { NAMES, pairsOf, withText } from "./content";
import { useSentences } from "./useSentences";
import styles from "./vqa.module.css";
import textStyles from "../text/text.module.css";

export function VqaEditor(props: EditorProps) {
  const { itemId, content, lang, findings, reasons, field, onField, onChange, onReason } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences(content);
  return (
    <div data-testid="vqa-editor">
      <ol>
        {pairsOf(content).map((pair, slot) => (
          <li key={`${itemId}-${slot}`} className={styles.vqaPair}>
            <span className={textStyles.textNumber} aria-hidden="true">
              {slot + 1}
            </span>
            {NAMES.map((name, at) => (
              <div key={name} className={styles.vqaText}>
                <TextField
                  id={`${name}-${slot + 1}`}
                  path={`pairs.${slot}.${name}`}
                  value={pair[name]}
                  lang={lang}
                  label={t(`vqa.label.${name}`, { number: slot + 1 })}
                  placeholder={t(`vqa.name.${name}`)}
                  findings={findings}
                  emptyCode={`${name}_empty`}
                  say={say}
                  reasons={reasons}
                  focused={field === 2 * slot + at}
                  onFocus={() => onField(2 * slot + at)}
                  onChange={(value) => onChange(withText(content, slot, name, value))}
                />
              </div>
            ))}
          </li>
        ))}
      </ol>
      <OverrideReasons
        findings={findings}
        reasons={reasons}
        ask={(code) => t(`vqa.override.${code}`, { defaultValue: t("text.overrideAny") })}
        onReason={onReason}
      />
    </div>
  );
}
