/** One item to decide about: the picture with what it means and what was clicked, and the decisions. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { PeerItem } from "@/api/types";
import { ClickRounds } from "@/item/clicks/ClickRounds";
import { BaseContext } from "@/kinds/base";
import type { Content, KindView } from "@/kinds/kind";
import { MarksBeside } from "@/kinds/Marks";
import { PictureCategory } from "@/kinds/PictureCategory";
import { kindView } from "@/kinds/registry";
import { languageOf } from "@/kinds/tree";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { CorrectForm } from "../CorrectForm";
import { ReasonForm } from "../ReasonForm";
import { decideActions } from "./actions";
import styles from "../quality.module.css";

interface DecideItemProps {
  item: PeerItem;
  onDecided: () => void;
  /** Null where no other item waits. */
  onNext: (() => void) | null;
  onLeave: () => void;
}

export function DecideItem(props: DecideItemProps) {
  const { t } = useTranslation("quality");
  const { item } = props;
  const view = kindView(item.kind);
  if (!view || item.content === null) return <Empty title={item.label}>{t("unknownKind")}</Empty>;
  return (
    <PictureSpace>
      <BaseContext value={item.base}>
        <PictureCategory of={item}>
          <ItemToDecide {...props} view={view} content={item.content} />
        </PictureCategory>
      </BaseContext>
    </PictureSpace>
  );
}

type Outcome = "right" | "correct" | "wrong";

function ItemToDecide({ item, view, content, onDecided, onNext, onLeave }: DecideItemProps & { view: KindView; content: Content }) {
  const { t } = useTranslation("quality");
  const [form, setForm] = useState<"correct" | "exclude" | null>(null);
  const write = useWrite("item_decide");
  const mayDecide = item.available_actions.includes("item_decide") && item.base?.current !== false;
  const isFree = form === null && !write.isPending;

  function decide(outcome: Outcome, more: { reasons?: string[]; comment?: string; content?: Content; overrides?: Record<string, string> } = {}) {
    if (write.isPending) return;
    write.mutate(
      { path: { id: item.id }, body: { revision_no: item.revision_no, picture_no: item.image.redaction_no, outcome, ...more } },
      {
        onSuccess: () => {
          toasts.show(t(`decide.done.${outcome}`, { label: item.label }));
          onDecided();
        },
      },
    );
  }
  function open(name: "correct" | "exclude" | null) {
    write.reset();
    setForm(name);
  }
  const keys = {
    right: isFree && mayDecide ? () => decide("right") : null,
    correct: isFree && mayDecide ? () => open("correct") : null,
    exclude: isFree && mayDecide ? () => open("exclude") : null,
    next: isFree ? onNext : null,
  };
  useActions(decideActions, { ...keys, leave: form === null ? onLeave : null });
  return (
    <div className={styles.validate} data-testid="decide" data-item={item.label}>
      <div className={styles.validateStage}>
        <Stage view={item.image.view_url} clean={item.image.clean_url} width={item.image.width} height={item.image.height} label={t("validate.picture", { label: item.image.label })} />
      </div>
      <section className={styles.validateText} aria-label={item.label}>
        <span className="tiny">
          {item.label} · {t("validate.by", { name: item.author?.name ?? t("validate.author") })}
        </span>
        {!mayDecide && <Notice tone="warn">{t(item.base?.current === false ? "errors:base_changed" : "decide.notNow")}</Notice>}
        {write.error && form === null && <Problem error={write.error} />}
        {form === "correct" ? (
          <CorrectForm
            itemId={item.id}
            content={content}
            original={content}
            findings={item.findings}
            reasons={item.reasons}
            rules={item.rules}
            view={view}
            hint={t(view.isClicked ? "decide.correctHint" : "decide.correctHintUnclicked")}
            busy={write.isPending}
            error={write.error}
            onSave={(corrected, overrides) => decide("correct", { content: corrected, overrides })}
            onCancel={() => open(null)}
          />
        ) : (
          <>
            <view.Reader content={content} rules={item.rules} findings={item.findings} reasons={item.reasons} />
            <MarksBeside view={view} content={content} rules={item.rules} findings={item.findings} />
          </>
        )}
        {form === "exclude" && (
          <ReasonForm
            title={t("decide.why")}
            confirm={t("decide.exclude")}
            reasons={item.rules.review_reasons}
            lang={languageOf(item.rules.content)}
            busy={write.isPending}
            error={write.error}
            onConfirm={(reasons, comment) => decide("wrong", { reasons, comment })}
            onCancel={() => open(null)}
          />
        )}
        {form === null && (
          <div className="row-actions">
            {mayDecide && (
              <>
                <Button small keys="a" look="primary" busy={write.isPending} onClick={() => keys.right?.()} data-testid="decide-right">
                  {t("decide.right")}
                </Button>
                <Button small keys="e" onClick={() => keys.correct?.()} data-testid="decide-correct">
                  {t("decide.correct")}
                </Button>
                <Button small keys="r" onClick={() => keys.exclude?.()} data-testid="decide-exclude">
                  {t("decide.exclude")}
                </Button>
              </>
            )}
            {keys.next && (
              <Button small keys="n" onClick={keys.next} data-testid="next">
                {t("validate.next")}
              </Button>
            )}
          </div>
        )}
        <ClickRounds item={item} view={view} />
      </section>
    </div>
  );
}
