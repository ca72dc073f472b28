/** One item of a colleague: the picture, the content with its answer hidden first, and what can be decided about it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PeerItem } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Comments } from "@/item/Comments";
import { CheckContent } from "@/kinds/CheckContent";
import type { KindView } from "@/kinds/kind";
import { MarksBeside } from "@/kinds/Marks";
import { PictureCategory } from "@/kinds/PictureCategory";
import { kindView } from "@/kinds/registry";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { cardActions } from "../actions";
import { History } from "../History";
import { validateActions } from "./actions";
import { EditForm, FormNotices, ReturnForm } from "./OpenForm";
import type { Validation } from "./useValidation";
import styles from "../quality.module.css";

interface ValidateItemProps {
  item: PeerItem;
  validation: Validation;
  /** How many others wait in the pool. */
  waiting: number;
  onLeave: () => void;
}

export function ValidateItem(props: ValidateItemProps) {
  const { t } = useTranslation("quality");
  const view = kindView(props.item.kind);
  if (!view) return <Empty title={props.item.label}>{t("unknownKind")}</Empty>;
  return (
    <PictureSpace>
      <PictureCategory of={props.item}>
        <ItemToValidate {...props} view={view} />
      </PictureCategory>
    </PictureSpace>
  );
}

function ItemToValidate({ item, view, validation, waiting, onLeave }: ValidateItemProps & { view: KindView }) {
  const { t } = useTranslation("quality");
  const [isRevealed, setRevealed] = useState(view.Check === undefined);
  const [talks, setTalks] = useState(false);
  const [showsHistory, setShowsHistory] = useState(false);
  const [comments, setComments] = useState(item.comments);
  const { form, error, isBusy, open, star, next, ahead } = validation;
  const may = (operation: string) => item.available_actions.includes(operation);
  const isFree = form === null && !isBusy;
  const keys = {
    reveal: view.Check ? () => setRevealed(!isRevealed) : null,
    // Only a person who has seen the answer may star.
    star: isFree && isRevealed && may("item_star") ? () => star(item) : null,
    edit: isFree && may("item_submit") && !item.mine && item.content ? () => open("edit", item) : null,
    sendBack: isFree && may("item_send_back") ? () => open("send_back", item) : null,
    next: isFree && ahead + waiting > 0 ? next : null,
  };
  useActions(cardActions, { comment: () => setTalks(!talks) });
  useActions(validateActions, { ...keys, leave: form === null ? onLeave : null });
  return (
    <div className={styles.validate} data-testid="validate" data-item={item.label}>
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
        <Head item={item} />
        {error && form === null && <Problem error={error} />}
        {form && <FormNotices form={form} validation={validation} />}
        {form?.name === "edit" ? (
          <EditForm form={form} validation={validation} view={view} />
        ) : (
          item.content && (
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
          )
        )}
        {form && <ReturnForm form={form} validation={validation} />}
        {form === null && <Decisions keys={keys} mayStar={may("item_star")} isRevealed={isRevealed} isBusy={isBusy} />}
        <div className="row-actions">
          <Button small look="plain" keys="c" aria-expanded={talks} onClick={() => setTalks(!talks)} data-testid="comments-open">
            {t("comments", { count: comments })}
          </Button>
          {item.revision_no > 1 && isRevealed && (
            <Button small look="plain" aria-expanded={showsHistory} onClick={() => setShowsHistory(!showsHistory)} data-testid="history-open">
              {t("history.show", { number: item.revision_no })}
            </Button>
          )}
        </div>
        {showsHistory && <History itemId={item.id} view={view} rules={item.rules} onClose={() => setShowsHistory(false)} />}
        {talks && <Comments itemId={item.id} focus onLeave={() => setTalks(false)} onCount={setComments} />}
      </section>
    </div>
  );
}

function Head({ item }: { item: PeerItem }) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  return (
    <>
      <div className={styles.judgeHead}>
        <span className="tiny">
          {item.label} · {item.mine ? t("validate.mine") : t("validate.by", { name: item.author?.name ?? t("validate.author") })}
        </span>
        <Chip tone={item.state === "accepted" ? "good" : undefined}>{t(`ui:itemState.${item.state}`)}</Chip>
      </div>
      {item.mine && (
        <Notice>
          <span data-testid="own">{t("validate.own")}</span>
        </Notice>
      )}
      {item.held_until !== null && <Notice tone="warn">{t("validate.held", { time: format.time(item.held_until) })}</Notice>}
    </>
  );
}

interface DecisionsProps {
  keys: Record<"reveal" | "star" | "edit" | "sendBack" | "next", (() => void) | null>;
  mayStar: boolean;
  isRevealed: boolean;
  isBusy: boolean;
}

function Decisions({ keys, mayStar, isRevealed, isBusy }: DecisionsProps) {
  const { t } = useTranslation("quality");
  return (
    <div className="row-actions">
      {keys.reveal && (
        <Button small keys="Space" look={isRevealed ? undefined : "primary"} aria-pressed={isRevealed} onClick={keys.reveal} data-testid="reveal">
          {t(isRevealed ? "validate.hide" : "validate.show")}
        </Button>
      )}
      {/* It has its place before the answer is shown, so that nothing moves then. */}
      {mayStar && (
        <Button small keys="s" look={isRevealed ? "primary" : undefined} disabled={!isRevealed} busy={isBusy} onClick={() => keys.star?.()} data-testid="star">
          {t("validate.star")}
        </Button>
      )}
      {keys.edit && (
        <Button small keys="e" onClick={keys.edit} data-testid="edit">
          {t("validate.edit")}
        </Button>
      )}
      {keys.sendBack && (
        <Button small keys="r" onClick={keys.sendBack} data-testid="send-back">
          {t("validate.sendBack")}
        </Button>
      )}
      {keys.next && (
        <Button small keys="n" onClick={keys.next} data-testid="next">
          {t("validate.next")}
        </Button>
      )}
    </div>
  );
}
