/** One item before its panel: the picture, the content with its answer hidden first, and the judge's form. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HeldPeerItem } from "@/api/types";
import { CheckContent } from "@/kinds/CheckContent";
import type { KindView } from "@/kinds/kind";
import { MarksBeside } from "@/kinds/Marks";
import { PictureCategory } from "@/kinds/PictureCategory";
import { kindView } from "@/kinds/registry";
import { languageOf } from "@/kinds/tree";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import { ReasonForm } from "../ReasonForm";
import { judgeActions } from "./actions";
import { missingFields, type Values } from "./form";
import { FormFields } from "./FormFields";
import type { Judging } from "./useJudging";
import styles from "../quality.module.css";

interface JudgeItemProps {
  item: HeldPeerItem;
  judging: Judging;
  /** How many others wait in the pool. */
  waiting: number;
  onLeave: () => void;
}

export function JudgeItem(props: JudgeItemProps) {
  const { t } = useTranslation("quality");
  const view = kindView(props.item.kind);
  if (!view) return <Empty title={props.item.label}>{t("unknownKind")}</Empty>;
  return (
    <PictureSpace>
      <PictureCategory of={props.item}>
        <ItemToJudge {...props} view={view} />
      </PictureCategory>
    </PictureSpace>
  );
}

function ItemToJudge({ item, view, judging, waiting, onLeave }: JudgeItemProps & { view: KindView }) {
  const { t } = useTranslation("quality");
  const [isRevealed, setRevealed] = useState(view.Check === undefined);
  const [isFailing, setFailing] = useState(false);
  const [values, setValues] = useState<Values>({});
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const { error, isBusy, judge, next, ahead } = judging;
  const form = item.judging?.form ?? [];
  const isFree = !isFailing && !isBusy;

  /** Continues if every required field has a value, otherwise says which have none. */
  function whenComplete(go: () => void) {
    const codes = missingFields(form, values).map(({ code }) => code);
    setMissing(new Set(codes));
    if (codes.length === 0) go();
  }
  const keys = {
    reveal: view.Check ? () => setRevealed(!isRevealed) : null,
    // Only a person who has seen the answer may pass it.
    pass: isFree && isRevealed ? () => whenComplete(() => judge(item, { outcome: "pass", reasons: [], comment: "", values })) : null,
    fail: isFree ? () => whenComplete(() => setFailing(true)) : null,
    next: isFree && ahead + waiting > 0 ? next : null,
  };
  useActions(judgeActions, { ...keys, leave: isFailing ? null : onLeave });
  return (
    <div className={styles.validate} data-testid="judge" data-item={item.label}>
      <div className={styles.validateStage}>
        <Stage
          view={item.image.view_url}
          clean={item.image.clean_url}
          width={item.image.width}
          height={item.image.height}
          label={t("validate.picture", { label: item.image.label })}
        />
      </div>
      <section className={styles.validateText} aria-label={item.label}>
        <div className={styles.judgeHead}>
          <span className="tiny">{item.label}</span>
          {item.judging && (
            <span className="tiny" data-testid="verdicts-in">
              {t("panel.done", { done: item.judging.done, count: item.judging.people })}
            </span>
          )}
        </div>
        {error && !isFailing && <Problem error={error} />}
        {item.content && (
          <>
            <CheckContent
              view={view}
              content={item.content}
              rules={item.rules}
              findings={item.findings}
              reasons={item.reasons}
              seed={item.id}
              isRevealed={isRevealed}
            />
            <MarksBeside view={view} content={item.content} rules={item.rules} findings={item.findings} isRevealed={isRevealed} />
          </>
        )}
        <FormFields
          form={form}
          values={values}
          missing={missing}
          lang={languageOf(item.rules.content)}
          onChange={(code, value) => {
            setValues({ ...values, [code]: value });
            setMissing(new Set());
          }}
        />
        {isFailing ? (
          <ReasonForm
            title={t("panel.why")}
            confirm={t("panel.fail")}
            missing={t("panel.reasonMissing")}
            reasons={item.rules.review_reasons}
            lang={languageOf(item.rules.content)}
            busy={isBusy}
            error={error}
            onConfirm={(reasons, comment) => judge(item, { outcome: "fail", reasons, comment, values })}
            onCancel={() => setFailing(false)}
          />
        ) : (
          <Decisions keys={keys} isRevealed={isRevealed} isBusy={isBusy} />
        )}
      </section>
    </div>
  );
}

interface DecisionsProps {
  keys: Record<"reveal" | "pass" | "fail" | "next", (() => void) | null>;
  isRevealed: boolean;
  isBusy: boolean;
}

function Decisions({ keys, isRevealed, isBusy }: DecisionsProps) {
  const { t } = useTranslation("quality");
  return (
    <div className="row-actions">
      {keys.reveal && (
        <Button small keys="Space" look={isRevealed ? undefined : "primary"} aria-pressed={isRevealed} onClick={keys.reveal} data-testid="reveal">
          {t(isRevealed ? "validate.hide" : "validate.show")}
        </Button>
      )}
      {/* It has its place before the answer is shown, so that nothing moves then. */}
      <Button small keys="a" look={isRevealed ? "primary" : undefined} disabled={!isRevealed} busy={isBusy} onClick={() => keys.pass?.()} data-testid="pass">
        {t("panel.pass")}
      </Button>
      <Button small keys="r" busy={isBusy} onClick={() => keys.fail?.()} data-testid="fail">
        {t("panel.fail")}
      </Button>
      {keys.next && (
        <Button small keys="n" onClick={keys.next} data-testid="next">
          {t("validate.next")}
        </Button>
      )}
    </div>
  );
}
