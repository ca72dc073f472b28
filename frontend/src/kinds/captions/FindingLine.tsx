/** One finding of the server, said in the reader's language under the caption it concerns. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Finding } from "@/api/types";
import type { Content } from "../kind";
import { captionsOf, slotOf } from "./content";
import { markedTexts } from "./spans";

/** Stretches longer than this list are summed up: a line should stay a line. */
const SHOWN = 4;

export function FindingLine({
  id,
  finding,
  content,
  lang,
}: {
  id?: string;
  finding: Finding;
  content: Content;
  lang: string;
}) {
  const { t } = useTranslation("kinds");
  const slot = slotOf(finding.field);
  // A likely name stands in the sentence already; shared stretches do not.
  const own =
    finding.code === "caption_likely_name" ? [] : finding.spans.filter((span) => span.field === finding.field);
  const shared = slot === null ? [] : markedTexts(captionsOf(content)[slot] ?? "", own);
  return (
    <p id={id} className={`finding finding-${finding.severity}`} data-testid={`finding-${finding.code}`}>
      <span>{findingText(finding, t)}</span>
      {shared.length > 0 && (
        <span className="finding-shared" lang={lang}>
          {shared.slice(0, SHOWN).join(" · ")}
          {shared.length > SHOWN ? " …" : ""}
        </span>
      )}
    </p>
  );
}

/** Caption numbers are written from 1; the server counts from 0. */
function findingText(finding: Finding, t: TFunction<"kinds">): string {
  const { other } = finding.params;
  const values = { ...finding.params, ...(typeof other === "number" ? { other: other + 1 } : {}) };
  switch (finding.code) {
    case "caption_empty":
      return t("captions.finding.caption_empty", values);
    case "caption_too_short":
      return t("captions.finding.caption_too_short", values);
    case "caption_overlap":
      return t("captions.finding.caption_overlap", values);
    case "caption_identical":
      return t("captions.finding.caption_identical", values);
    case "caption_likely_name":
      return t("captions.finding.caption_likely_name", values);
    case "text_refused":
      return t("captions.finding.text_refused", values);
    default:
      return t("captions.finding.unknown", { code: finding.code });
  }
}
