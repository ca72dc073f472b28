/** What someone has to know before they write: why the item was returned or left out, or why the server refused a text. */
import { useTranslation } from "react-i18next";
import type { Reason, WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { languageOf } from "@/kinds/tree";
import { Gap } from "@/ui/Gap";
import { Notice } from "@/ui/Notice";
import { useErrorText } from "@/ui/Problem";
import type { QueuedItem } from "./queue/workQueue";
import type { WorkEntry } from "./saving/delivery";
import type { DraftState } from "./saving/draftSaver";

interface ItemNoticesProps {
  item: QueuedItem;
  rules: WorkRules;
  refused: WorkEntry | null;
  draft: DraftState;
}

export function ItemNotices({ item, rules, refused, draft }: ItemNoticesProps) {
  const { t } = useTranslation("workspace");
  const errorText = useErrorText();
  const { returned, skipped } = item;
  const lang = languageOf(rules.content);
  return (
    <>
      {returned && (
        <Notice tone="warn">
          <span data-testid="returned">
            {t(`returned.${returned.stage}`, { defaultValue: t("returned.any") })}<Gap />
            <Why codes={returned.reasons} reasons={rules.review_reasons} comment={returned.comment} lang={lang} />
          </span>
        </Notice>
      )}
      {item.is_restored && item.state === "returned" && (
        <Notice tone="warn">
          <span data-testid="restored">{t("ui:restored")}</span>
        </Notice>
      )}
      {skipped && (
        <Notice tone="warn">
          <span data-testid="skipped">
            {t("skip.done")}<Gap /><Why codes={skipped.reasons} reasons={rules.skip_reasons} comment={skipped.comment} lang={lang} />{" "}
            {t("skip.after")}
          </span>
        </Notice>
      )}
      {refused?.failure && (
        <Notice tone="bad">
          <span data-testid="submit-refused">
            {t("refused")}<Gap />{errorText({ code: refused.failure.code, params: refused.failure.params })}
          </span>
        </Notice>
      )}
      {draft.phase === "refused" && draft.failure && (
        <Notice tone="bad">
          {t("draftRefused")}<Gap />{errorText({ code: draft.failure.code, params: draft.failure.params })}
        </Notice>
      )}
    </>
  );
}

interface WhyProps {
  codes: readonly string[];
  reasons: readonly Reason[];
  comment: string;
  lang: string;
}

function Why({ codes, reasons, comment, lang }: WhyProps) {
  const name = useLocalised();
  return (
    <>
      <strong>{codes.map((code) => name(reasons.find((reason) => reason.code === code)?.name) || code).join(" · ")}</strong>
      {comment !== "" && <q lang={lang}>{comment}</q>}
    </>
  );
}
