/** Corrects an item in place: the same fields its author had, and the server's findings when it refuses. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import type { Finding, WorkRules } from "@/api/types";
import type { Content, EditorProps, KindView } from "@/kinds/kind";
import { EditedMarks } from "@/kinds/Marks";
import { carry, isSame, neighbour } from "@/kinds/tree";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { LeaveGuard } from "@/ui/LeaveGuard";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { correctActions } from "./actions";
import styles from "./quality.module.css";

interface CorrectFormProps {
  itemId: number;
  content: Content;
  findings: readonly Finding[];
  reasons: Readonly<Record<string, string>>;
  rules: WorkRules;
  view: KindView;
  /** What saving makes of the text; where a reviewer corrects it may be left out. */
  hint?: string;
  /** The text as it is, where only a change of it can be saved. */
  original?: Content;
  busy: boolean;
  error: ApiError | null;
  onSave: (content: Content, overrides: Record<string, string>) => void;
  onCancel: () => void;
}

export function CorrectForm(props: CorrectFormProps) {
  const { itemId, rules, view, busy, error } = props;
  const tree = rules.content;
  const { t } = useTranslation("quality");
  const [content, setContent] = useState(props.content);
  const [sent, setSent] = useState(props.content);
  const [reasons, setReasons] = useState(props.reasons);
  const [isUnchanged, setIsUnchanged] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const [field, setField] = useState(() => neighbour(tree, props.content, "", 1));
  const refused = error?.code === "content_refused" ? (error.params.findings as Finding[] | undefined) : undefined;
  const findings = carry(tree, refused ?? props.findings, refused ? sent : props.content, content);

  /** What was changed is given up by the second press. */
  function cancel() {
    if (isLeaving || isSame(tree, content, props.content)) props.onCancel();
    else setIsLeaving(true);
  }
  function save() {
    // A correction that changes nothing would put another name on the text.
    if (props.original !== undefined && isSame(tree, content, props.original)) {
      setIsUnchanged(true);
      return;
    }
    setSent(content);
    const filled = Object.entries(reasons).filter(([, reason]) => reason.trim() !== "");
    props.onSave(content, Object.fromEntries(filled));
  }
  useActions(
    correctActions,
    {
      moveField: (step) => setField(neighbour(tree, content, field, step)),
      confirm: save,
      cancel,
    },
    { exclusive: true },
  );
  const { Editor } = view;
  const editor: EditorProps = {
    itemId,
    content,
    rules,
    findings,
    reasons,
    field,
    onField: setField,
    onChange: (changed) => {
      setIsUnchanged(false);
      setIsLeaving(false);
      setContent(changed);
    },
    onReason: (code, reason) => setReasons({ ...reasons, [code]: reason }),
  };
  return (
    <div className={styles.correctForm} data-testid="correct-form">
      <LeaveGuard when={!busy && !isSame(tree, content, props.content)} text={t("correctLeave")} />
      <p className="tiny">{props.hint ?? t("correctHint")}</p>
      <Editor {...editor} />
      <EditedMarks view={view} editor={editor} />
      {refused ? <Notice tone="bad">{t("correctRefused")}</Notice> : error && <Problem error={error} />}
      {isLeaving && <Notice tone="warn">{t("correctLeave")}</Notice>}
      {isUnchanged && <Notice tone="warn">{t("correctUnchanged")}</Notice>}
      <div className="row-actions">
        <Button small look="primary" keys="Mod+Enter" busy={busy} onClick={save} data-testid="correct-save">
          {t("action.saveCorrection")}
        </Button>
        <Button small keys="Escape" onClick={cancel} data-testid="correct-cancel">
          {t(isLeaving ? "ui:leave.go" : "ui:cancel")}
        </Button>
      </div>
    </div>
  );
}
