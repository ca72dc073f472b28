/** Writes the captions of one picture: a field each, findings under the field they concern. */
import { useTranslation } from "react-i18next";
import type { EditorProps } from "../kind";
import { captionsOf, findingsOf, lettersIn, marksIn } from "./content";
import { FindingLine } from "./FindingLine";
import { MarkedField } from "./MarkedField";
import "./captions.css";

export function CaptionsEditor(props: EditorProps) {
  const { itemId, content, lang, findings, reasons, field, onField, onChange, onReason } = props;
  const { t } = useTranslation("kinds");
  const overridable = [
    ...new Set(
      findings.filter((finding) => finding.overridable && finding.severity === "error").map(({ code }) => code),
    ),
  ];
  return (
    <div className="captions" data-testid="captions-editor">
      <ol className="captions-slots">
        {captionsOf(content).map((caption, slot) => {
          const own = findingsOf(findings, slot).filter(
            (finding) => caption !== "" || finding.code !== "caption_empty",
          );
          const id = `caption-${slot + 1}`;
          const isWrong = own.some((finding) => finding.severity === "error" && reasons[finding.code] === undefined);
          return (
            <li key={`${itemId}-${slot}`} className={slot === field ? "captions-slot is-on" : "captions-slot"}>
              <span className="captions-number" aria-hidden="true">
                {slot + 1}
              </span>
              <MarkedField
                id={id}
                value={caption}
                lang={lang}
                label={t("captions.slot", { number: slot + 1 })}
                describedBy={own.length > 0 ? `${id}-findings` : undefined}
                invalid={isWrong}
                marks={marksIn(findings, slot)}
                focused={slot === field}
                onFocus={() => onField(slot)}
                onChange={(value) =>
                  onChange({ captions: captionsOf(content).map((old, at) => (at === slot ? value : old)) })
                }
              />
              <span
                className={own.length === 0 && caption !== "" ? "captions-count is-good" : "captions-count"}
                title={t("captions.countHint")}
                data-testid={`${id}-count`}
              >
                {lettersIn(caption)}
              </span>
              {own.length > 0 && (
                <div className="captions-findings" id={`${id}-findings`} aria-live="polite">
                  {own.map((finding) => (
                    <FindingLine
                      key={`${finding.code}-${JSON.stringify(finding.params)}`}
                      finding={finding}
                      content={content}
                      lang={lang}
                    />
                  ))}
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {overridable.map((code) => (
        <label key={code} className="captions-reason">
          <span>{t(`captions.override.${code}`, { defaultValue: t("captions.overrideAny") })}</span>
          <input
            type="text"
            value={reasons[code] ?? ""}
            maxLength={300}
            placeholder={t("captions.overridePlaceholder")}
            onChange={(event) => onReason(code, event.target.value)}
            data-testid={`reason-${code}`}
          />
        </label>
      ))}
    </div>
  );
}
