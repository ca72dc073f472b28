/** Writes the captions of one picture: a field each, findings under the field they concern. */
import { useTranslation } from "react-i18next";
import type { EditorProps } from "../kind";
import { OverrideReasons } from "../text/OverrideReasons";
import { TextField } from "../text/TextField";
import { leaves } from "../tree";
import { useSentences } from "./useSentences";
import styles from "./captions.module.css";
import textStyles from "../text/text.module.css";

export function CaptionsEditor(props: EditorProps) {
  const { itemId, content, rules, findings, reasons, onReason } = props;
  const { t } = useTranslation("kinds");
  const say = useSentences(rules, content);
  return (
    <div className="captions" data-testid="captions-editor">
      <ol>
        {leaves(rules.content, content).map(({ path }, index) => (
          <li key={`${itemId}-${path}`} className={styles.captionsSlot}>
            <span className={textStyles.textNumber} aria-hidden="true">
              {index + 1}
            </span>
            <TextField
              editor={props}
              path={path}
              id={`caption-${index + 1}`}
              label={t("captions.label", { number: index + 1 })}
              emptyCodes={["caption_empty"]}
              say={say}
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
