/** Reads the captions of one picture, with the marks and findings they were handed in with. */
import { useTranslation } from "react-i18next";
import type { ReaderProps } from "../kind";
import { captionsOf, findingsOf, marksIn } from "./content";
import { FindingLine } from "./FindingLine";
import { segmentsOf } from "./spans";
import "./captions.css";

export function CaptionsReader({ content, lang, findings = [], reasons = {}, short = false }: ReaderProps) {
  const { t } = useTranslation("kinds");
  const first = captionsOf(content)[0] ?? "";
  if (short) {
    return (
      <p className="captions-short">
        <span lang={lang}>{first}</span>
        {captionsOf(content).length > 1 && (
          <span className="captions-more">{t("captions.more", { count: captionsOf(content).length - 1 })}</span>
        )}
      </p>
    );
  }
  return (
    <>
      <ol className="captions-read">
        {captionsOf(content).map((caption, slot) => (
          <li key={slot}>
            <span className="captions-number" aria-hidden="true">
              {slot + 1}
            </span>
            <div>
              <p lang={lang}>
                {segmentsOf(caption, marksIn(findings, slot)).map((segment, index) =>
                  segment.marked ? <mark key={index}>{segment.text}</mark> : <span key={index}>{segment.text}</span>,
                )}
              </p>
              {findingsOf(findings, slot).map((finding) => (
                <FindingLine
                  key={`${finding.code}-${JSON.stringify(finding.params)}`}
                  finding={finding}
                  content={content}
                  lang={lang}
                />
              ))}
            </div>
          </li>
        ))}
      </ol>
      {Object.entries(reasons).map(([code, reason]) => (
        <p key={code} className="captions-kept" data-testid={`kept-${code}`}>
          {t("captions.kept")} <q lang={lang}>{reason}</q>
        </p>
      ))}
    </>
  );
}
