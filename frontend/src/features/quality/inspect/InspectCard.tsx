/** One sampled item: its text, its verdict, and the controls to judge it right or wrong. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "@/api/sendQueue";
import type { JudgedItem, WorkRules } from "@/api/types";
import type { Why } from "@/item/Reasons";
import type { KindView } from "@/kinds/kind";
import { useRulesIn } from "@/kinds/language";
import { languageOf } from "@/kinds/tree";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { ReasonForm } from "../ReasonForm";
import { SheetCard } from "../SheetCard";
import { VerdictHead } from "../VerdictHead";
import { decisionOf, type GivenVerdict, type InspectVerdict } from "./verdicts";

interface InspectCardProps {
  item: JudgedItem;
  entry: Entry<InspectVerdict> | undefined;
  given: GivenVerdict;
  rules: WorkRules;
  view: KindView;
  selected: boolean;
  canJudge: boolean;
  refusing: boolean;
  /** The reasons of a verdict on it that was undone. */
  undone: Why | undefined;
  /** The item's position in the sample. */
  note: ReactNode;
  chips?: ReactNode;
  /** Why someone else should judge it. */
  warning?: ReactNode;
  onSelect: () => void;
  onLook: () => void;
  onRefusing: (open: boolean) => void;
  onVerdict: (verdict: Omit<InspectVerdict, "revisionNo" | "pictureNo">) => void;
}

export function InspectCard(props: InspectCardProps) {
  const { item, entry, given, view, refusing } = props;
  const rules = useRulesIn(props.rules, item.language);
  const { t } = useTranslation("quality");
  const decision = decisionOf(given, entry);
  return (
    <SheetCard item={item} view={view} rules={props.rules} wide={false} selected={props.selected} onSelect={props.onSelect} onLook={props.onLook}>
      <VerdictHead
        label={item.label}
        entry={entry}
        given={given}
        decision={decision}
        tone={decision === "right" ? "good" : "bad"}
        rules={rules}
        note={props.note}
        chips={props.chips}
      />
      {props.warning !== undefined && <Notice tone="warn">{props.warning}</Notice>}
      {item.content && <view.Reader content={item.content} rules={rules} findings={item.findings} reasons={item.reasons} />}
      {refusing && (
        <ReasonForm
          title={t("inspect.why")}
          confirm={t("action.inspect.refuse")}
          reasons={rules.review_reasons}
          lang={languageOf(rules.content)}
          before={props.undone}
          onConfirm={(reasons, comment) => props.onVerdict({ outcome: "wrong", reasons, comment })}
          onCancel={() => props.onRefusing(false)}
        />
      )}
      {props.canJudge && !refusing && (
        <div className="row-actions">
          <Button
            small
            keys="a"
            aria-pressed={decision === "right"}
            onClick={() => props.onVerdict({ outcome: "right", reasons: [], comment: "" })}
            data-testid={`right-${item.label}`}
          >
            {t("action.inspect.accept")}
          </Button>
          <Button
            small
            keys="r"
            aria-pressed={decision === "wrong"}
            onClick={() => props.onRefusing(true)}
            data-testid={`wrong-${item.label}`}
          >
            {t("action.inspect.refuse")}
          </Button>
        </div>
      )}
    </SheetCard>
  );
}
