/** Writes the questions about one picture, each with its answer below; findings under the field they concern. */
import { useTranslation } from "react-i18next";
import type { EditorProps } from "../kind";
import { OverrideReasons } from "../text/OverrideReasons";
import { TextField } from "../text/TextField";
import { pairsOf } from "./pairs";
import { useSentences } from "./useSentences";
import styles from "./vqa.module.css";
import textStyles from "../text/text.module.css";

export function VqaEditor(props: EditorProps) {
  const { itemId, content, rules, findings, reasons, onReason } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences(rules, content);
  return (
    <div data-testid="vqa-editor">
      <ol>
        {pairsOf(rules).map((fields, index) => (
          <li key={`${itemId}-${index}`} className={styles.vqaPair}>
            <span className={textStyles.textNumber} aria-hidden="true">
              {index + 1}
            </span>
            {fields.map(({ name, path }) => (
              <div key={name} className={styles.vqaText}>
                <TextField
                  editor={props}
                  path={path}
                  id={`${name}-${index + 1}`}
                  label={t(`vqa.label.${name}`, { number: index + 1 })}
                  placeholder={t(`vqa.name.${name}`)}
                  emptyCodes={[`${name}_empty`]}
                  say={say}
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
