/** One sampled item: its text, its verdict, and the controls to judge it right or wrong. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "@/api/sendQueue";
import type { SheetItem, WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import type { KindView } from "@/kinds/kind";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Notice } from "@/ui/Notice";
import { useErrorText } from "@/ui/Problem";
import { ReasonForm } from "../ReasonForm";
import { SheetCard } from "../SheetCard";
import { decisionOf, type GivenVerdict, type InspectVerdict } from "./verdicts";
import styles from "../quality.module.css";

interface InspectCardProps {
  item: SheetItem;
  entry: Entry<InspectVerdict> | undefined;
  given: GivenVerdict;
  rules: WorkRules;
  view: KindView;
  lang: string;
  selected: boolean;
  canJudge: boolean;
  refusing: boolean;
  /** The item's position in the sample. */
  note: ReactNode;
  chips?: ReactNode;
  onSelect: () => void;
  onLook: () => void;
  onRefusing: (open: boolean) => void;
  onVerdict: (verdict: Omit<InspectVerdict, "revisionNo">) => void;
}

export function InspectCard(props: InspectCardProps) {
  const { item, entry, given, rules, view, lang, refusing } = props;
  const { t } = useTranslation("quality");
  const decision = decisionOf(given, entry);
  return (
    <SheetCard item={item} wide={false} selected={props.selected} onSelect={props.onSelect} onLook={props.onLook}>
      <InspectHead {...props} />
      {item.content && <view.Reader content={item.content} lang={lang} findings={item.findings} reasons={item.reasons} />}
      {refusing && (
        <ReasonForm
          title={t("inspect.why")}
          confirm={t("action.inspect.refuse")}
          reasons={rules.review_reasons}
          lang={lang}
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

function InspectHead({ item, entry, given, rules, lang, note, chips }: InspectCardProps) {
  const { t } = useTranslation("quality");
  const name = useLocalised();
  const say = useErrorText();
  const decision = decisionOf(given, entry);
  const reasons = entry?.work.reasons ?? given?.reasons ?? [];
  const comment = entry?.work.comment ?? given?.comment ?? "";
  return (
    <div className={styles.judgeHead}>
      <span className="tiny">{note}</span>
      <span className="chips">
        {chips}
        {entry?.state === "pending" && <Chip>{t("held")}</Chip>}
        {entry?.state === "waiting" && <Chip tone="warn">{t("waiting")}</Chip>}
        {decision && (
          <Chip tone={decision === "right" ? "good" : "bad"}>
            <span data-testid={`outcome-${item.label}`} data-outcome={decision}>
              {t(`outcome.${decision}`)}
            </span>
          </Chip>
        )}
      </span>
      {entry?.state === "refused" && entry.error && <Notice tone="bad">{say(entry.error)}</Notice>}
      {(reasons.length > 0 || comment !== "") && (
        <p className={styles.judgeWhy}>
          {reasons
            .map((code) => name(rules.review_reasons.find((reason) => reason.code === code)?.name) || code)
            .join(" · ")}{" "}
          {comment !== "" && <q lang={lang}>{comment}</q>}
        </p>
      )}
    </div>
  );
}
