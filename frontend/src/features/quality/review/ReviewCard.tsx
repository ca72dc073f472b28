/** One item under review: what was written or why it was skipped, what was decided, and the forms for deciding. */
import { useTranslation } from "react-i18next";
import { useReasonName, useSlug } from "@/api/benchmark";
import type { ApiError } from "@/api/errors";
import type { Entry } from "@/api/sendQueue";
import type { SheetItem, WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import type { Content, KindView } from "@/kinds/kind";
import { useRulesIn } from "@/kinds/language";
import { languageOf } from "@/kinds/tree";
import { Button } from "@/ui/Button";
import type { Tone } from "@/ui/Chip";
import { Gap } from "@/ui/Gap";
import { Notice } from "@/ui/Notice";
import { CorrectForm } from "../CorrectForm";
import { History } from "../History";
import { ReasonForm } from "../ReasonForm";
import { SheetCard } from "../SheetCard";
import { VerdictHead } from "../VerdictHead";
import { Earlier } from "./Earlier";
import { decisionOf, type ReviewVerdict } from "./verdicts";

export type CardForm = "return" | "correct" | "history";

interface ReviewCardProps {
  item: SheetItem;
  entry: Entry<ReviewVerdict> | undefined;
  rules: WorkRules;
  view: KindView;
  selected: boolean;
  /** Whether the person may judge it now; a verdict that was not sent can be changed. */
  canJudge: boolean;
  form: CardForm | null;
  correcting: boolean;
  correctError: ApiError | null;
  /** The item's package, on sheets that mix packages. */
  note?: React.ReactNode;
  onSelect: () => void;
  onLook: () => void;
  onForm: (form: CardForm | null) => void;
  onVerdict: (verdict: Omit<ReviewVerdict, "revisionNo" | "pictureNo">) => void;
  onCorrect: (content: Content, overrides: Record<string, string>) => void;
}

export function ReviewCard(props: ReviewCardProps) {
  const { item, entry, view, form, canJudge, onForm } = props;
  const rules = useRulesIn(props.rules, item.language);
  const { t } = useTranslation("quality");
  const isSkipped = item.state === "skipped";
  const decision = decisionOf(item, entry);
  return (
    <SheetCard
      item={item}
      view={view}
      rules={props.rules}
      wide
      selected={props.selected}
      isEditing={form === "correct" && !isSkipped}
      onSelect={props.onSelect}
      onLook={props.onLook}
    >
      <CardHead item={item} entry={entry} rules={rules} note={props.note} />
      {item.earlier && !isSkipped && <Earlier item={item} earlier={item.earlier} view={view} rules={rules} />}
      {isSkipped && <SkippedNote item={item} rules={rules} />}
      {form === "correct" && item.content && !isSkipped ? (
        <CorrectForm
          itemId={item.id}
          original={item.content}
          content={item.content}
          findings={item.findings}
          reasons={item.reasons}
          rules={rules}
          view={view}
          busy={props.correcting}
          error={props.correctError}
          onSave={props.onCorrect}
          onCancel={() => onForm(null)}
        />
      ) : (
        item.content &&
        !isSkipped && <view.Reader content={item.content} rules={rules} findings={item.findings} reasons={item.reasons} />
      )}
      {form === "return" && (
        <ReasonForm
          title={t(isSkipped ? "skip.why" : "review.why")}
          confirm={t(isSkipped ? "skip.insist" : "action.review.refuse")}
          reasons={isSkipped ? [] : rules.review_reasons}
          lang={languageOf(rules.content)}
          onConfirm={(reasons, comment) => props.onVerdict({ outcome: isSkipped ? "insist" : "return", reasons, comment })}
          onCancel={() => onForm(null)}
        />
      )}
      {form === "history" && <History itemId={item.id} view={view} rules={rules} onClose={() => onForm(null)} />}
      {(form === null || form === "history") && (
        <div className="row-actions">
          {canJudge && (
            <>
              <Button
                small
                keys="a"
                aria-pressed={decision === (isSkipped ? "agree" : "accept")}
                onClick={() => props.onVerdict({ outcome: isSkipped ? "agree" : "accept", reasons: [], comment: "" })}
                data-testid={`accept-${item.label}`}
              >
                {t(isSkipped ? "skip.agree" : "action.review.accept")}
              </Button>
              {!isSkipped && (
                <Button small keys="e" onClick={() => onForm("correct")} data-testid={`correct-${item.label}`}>
                  {t("action.correct")}
                </Button>
              )}
              <Button small keys="r" onClick={() => onForm("return")} data-testid={`return-${item.label}`}>
                {t(isSkipped ? "skip.insist" : "action.review.refuse")}
              </Button>
            </>
          )}
          {item.revisions_count > 0 && (
            <Button
              small
              look="plain"
              aria-expanded={form === "history"}
              onClick={() => onForm(form === "history" ? null : "history")}
              data-testid={`history-${item.label}`}
            >
              {t("history.show", { number: item.revisions_count })}
            </Button>
          )}
        </div>
      )}
    </SheetCard>
  );
}

const TONES: Readonly<Record<string, Tone>> = { accept: "good", correct: "good", agree: "good", return: "warn", insist: "warn" };

function CardHead({ item, entry, rules, note }: Pick<ReviewCardProps, "item" | "entry" | "rules" | "note">) {
  const name = useLocalised();
  const decision = decisionOf(item, entry);
  const about = [item.label, item.author?.name, item.image.category && name(item.image.category.name)].filter(Boolean).join(" · ");
  return (
    <VerdictHead
      label={item.label}
      entry={entry}
      given={item.review}
      decision={decision}
      tone={decision === null ? undefined : TONES[decision]}
      rules={rules}
      note={
        <>
          {about}
          {note !== undefined && <> · {note}</>}
        </>
      }
    />
  );
}

/** Why its annotator left the item unwritten. */
function SkippedNote({ item, rules }: Pick<ReviewCardProps, "item" | "rules">) {
  const { t } = useTranslation("quality");
  const reasonName = useReasonName(useSlug());
  const why = item.skipped;
  return (
    <Notice tone="warn">
      <p data-testid={`skipped-${item.label}`}>
        {t("skip.title")}<Gap />{why?.reasons.map(reasonName).join(" · ")} {why && why.comment !== "" && <q lang={languageOf(rules.content)}>{why.comment}</q>}
      </p>
      <p className="tiny">{t("skip.text")}</p>
    </Notice>
  );
}
