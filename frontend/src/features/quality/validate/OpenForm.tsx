/** The form that is open on a colleague's item: changing its text, two versions of it, or the reasons for returning it. */
import { useTranslation } from "react-i18next";
import { ConflictPanel } from "@/item/conflict/ConflictPanel";
import type { KindView } from "@/kinds/kind";
import { carry, languageOf } from "@/kinds/tree";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { CorrectForm } from "../CorrectForm";
import { ReasonForm } from "../ReasonForm";
import type { OpenForm } from "./useOpenForm";
import type { Validation } from "./useValidation";

interface OpenFormProps {
  form: OpenForm;
  validation: Validation;
}

/** What happened to the item while the form is open. */
export function FormNotices({ form, validation }: OpenFormProps) {
  const { t } = useTranslation("quality");
  const { newer, isLost, conflict, read } = validation;
  return (
    <>
      {isLost && (
        <Notice tone="warn">
          <span data-testid="seat-expired">{t("validate.expired")}</span>
        </Notice>
      )}
      {newer && !conflict && (
        <Notice
          tone="warn"
          action={
            form.name === "send_back" && (
              <Button small onClick={() => read(newer)} data-testid="show-newer">
                {t("validate.showNewer")}
              </Button>
            )
          }
        >
          <span data-testid="newer">{t(form.name === "edit" ? "validate.newerEdit" : "validate.newer")}</span>
        </Notice>
      )}
    </>
  );
}

/** The text in a form, or beside the newer version that it met; null unless it is being changed. */
export function EditForm({ form, validation, view }: OpenFormProps & { view: KindView }) {
  const { t } = useTranslation("quality");
  const { item, typed } = form;
  const { error, conflict, isSaving, save, close, leaveConflict } = validation;
  if (form.name !== "edit" || typed === null || item.content === null) return null;
  const tree = item.rules.content;
  return conflict ? (
    <>
      {error && error.code !== "stale_revision" && <Problem error={error} />}
      <ConflictPanel
        key={conflict.theirsNo}
        versions={conflict}
        view={view}
        rules={item.rules}
        onSubmit={(content) => save(item, { content, reasons: typed.reasons, baseNo: conflict.theirsNo })}
        onLeave={leaveConflict}
      />
    </>
  ) : (
    <CorrectForm
      itemId={item.id}
      content={typed.content}
      findings={carry(tree, item.findings, item.content, typed.content)}
      reasons={typed.reasons}
      rules={item.rules}
      view={view}
      hint={t("validate.editHint", { name: item.author?.name ?? t("validate.author") })}
      busy={isSaving}
      error={error}
      onSave={(content, reasons) => save(item, { content, reasons, baseNo: typed.baseNo })}
      onCancel={() => close(item)}
    />
  );
}

/** The reasons for a return; null unless the item is being returned. */
export function ReturnForm({ form, validation }: OpenFormProps) {
  const { t } = useTranslation("quality");
  const { item } = form;
  const { error, isBusy, sendBack, close } = validation;
  if (form.name !== "send_back") return null;
  return (
    <ReasonForm
      title={t("validate.why")}
      confirm={t("validate.sendBack")}
      reasons={item.rules.review_reasons}
      lang={languageOf(item.rules.content)}
      busy={isBusy}
      error={error}
      onConfirm={(reasons, comment) => sendBack(item, reasons, comment)}
      onCancel={() => close(item)}
    />
  );
}
