/** Writing one item: the kind's fields, what the server found, and submitting without waiting for the network. */
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Track, WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import type { Content, EditorProps, KindView } from "@/kinds/kind";
import { HeldBackContext } from "@/kinds/heldBack";
import { EditedMarks } from "@/kinds/Marks";
import { PictureCategory } from "@/kinds/PictureCategory";
import { entryCount, firstEmpty, neighbour } from "@/kinds/tree";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { singleWritingActions, writingActions } from "./actions";
import { ItemNotices } from "./ItemNotices";
import { Preview } from "./Preview";
import type { QueuedItem } from "./queue/workQueue";
import type { Delivery, WorkEntry } from "./saving/delivery";
import type { DraftState } from "./saving/draftSaver";
import { useActiveTime } from "./time/useActiveTime";
import { useItemText, type Start } from "./useItemText";
import { firstField, useSubmitting } from "./useSubmitting";
import styles from "./workspace.module.css";

interface WritingPanelProps {
  item: QueuedItem;
  track: Track;
  /** The package the item is written in; null where it is in none. */
  packageId: number | null;
  rules: WorkRules;
  view: KindView;
  /** Version of the acknowledged guideline; null where there is none yet. */
  guideline: number | null;
  start: Start;
  /** The last submitted text of this item, if the server refused it. */
  refused: WorkEntry | null;
  delivery: Delivery;
  hasPrevious: boolean;
  onSubmitted: () => void;
  /** Puts the item off and shows another; null where there is none to show. */
  onLater: (() => void) | null;
  onPrevious: () => void;
  onLeave: () => void;
  /** Whether the text can be shown as those who check it will see it. */
  canPreview?: boolean | undefined;
  /** Shows comments on the item. */
  onTalk: () => void;
  /** The state of the draft, with the text it is about. */
  onDraft: (state: DraftState, content: Content) => void;
}

export function WritingPanel(props: WritingPanelProps) {
  const { item, track, packageId, rules, view, start, refused, delivery, hasPrevious, onLater } = props;
  const { t } = useTranslation("workspace");
  const name = useLocalised();
  const activeMs = useActiveTime(item);
  const tree = rules.content;
  const text = useItemText(item, track, start, tree, delivery, activeMs);
  const [field, setField] = useState(
    () => firstEmpty(tree, start.content) ?? (refused && firstField(start.findings, tree, start.content)) ?? neighbour(tree, start.content, "", 1),
  );
  const [isPreview, setPreview] = useState(false);

  const reportDraft = useEffectEvent((state: DraftState) => props.onDraft(state, text.content));
  useEffect(() => reportDraft(text.draft), [text.draft]);

  const { hint, heldBack, isAwaited, submit, changed } = useSubmitting({
    item,
    tree,
    view,
    text,
    isRefused: refused !== null,
    field,
    onField: setField,
    onSubmit: (reasons) => {
      void delivery.submit({
        track,
        packageId,
        item,
        baseNo: item.revision_no,
        content: text.content,
        reasons,
        activeMs: activeMs(),
        guideline: props.guideline,
        pictureNo: item.image.redaction_no,
        over: start.over,
      });
      props.onSubmitted();
    },
  });

  const isSingle = packageId === null;
  useActions(isSingle ? singleWritingActions : writingActions, {
    canWrite: true,
    hasPrevious,
    submit,
    moveField: (step) => setField(neighbour(tree, text.content, field, step)),
    later: onLater,
    previous: props.onPrevious,
    preview: props.canPreview === true ? () => setPreview(!isPreview) : null,
    saveNow: () => void text.saver.flush(),
    leave: props.onLeave,
  });

  const { Editor, RuleChips, Guide } = view;
  const editor: EditorProps = {
    itemId: item.id,
    content: text.content,
    rules,
    findings: text.findings,
    reasons: text.reasons,
    field,
    onField: setField,
    onChange: (content) => {
      changed();
      text.change(content);
    },
    onReason: text.setOverrideReason,
  };
  return (
    <PictureCategory of={item}>
      <h2>{t(view.instructionKey, { count: entryCount(tree) ?? 1 })}</h2>
      <div className={`chips ${styles.workspaceChips}`}>
        {item.image.category && <Chip>{t("category", { name: name(item.image.category.name) })}</Chip>}
        {item.comments > 0 && (
          <button type="button" className="chip" onClick={props.onTalk} data-testid="has-comments">
            {t("hasComments", { count: item.comments })}
          </button>
        )}
        <RuleChips rules={rules} content={text.content} findings={text.findings} isChecked={text.isChecked} />
      </div>
      <ItemNotices item={item} rules={rules} refused={refused} draft={text.draft} />
      {isPreview && <Preview item={item} content={text.content} rules={rules} view={view} onClose={() => setPreview(false)} />}
      <HeldBackContext value={heldBack}>
        <Editor {...editor} />
      </HeldBackContext>
      <EditedMarks view={view} editor={editor} />
      <div className={styles.workspaceFoot}>
        <p className={styles.workspaceHint} role="alert">
          {hint === "empty" && t(view.incompleteKey ?? "hint.empty")}
          {hint === "nothing" && t(view.nothingKey ?? "hint.empty")}
          {(hint === "unchanged" || hint === "findings" || hint === "override") && t(`hint.${hint}`)}
        </p>
        <div className="row-actions workspace-buttons">
          <Button look="primary" keys="Mod+Enter" busy={isAwaited} onClick={submit} data-testid="submit">
            {t(isSingle ? "action.submitSingle" : "action.submit")}
          </Button>
          {props.canPreview === true && (
            <Button keys="Alt+p" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)} data-testid="preview-open">
              {t("action.preview")}
            </Button>
          )}
          {onLater && (
            <Button keys="PageDown" onClick={onLater} data-testid="later">
              {t("action.later")}
            </Button>
          )}
        </div>
      </div>
      <Guide rules={rules} short />
    </PictureCategory>
  );
}
