/** Returns an item that its panel passed to its author, with a reason; once it is corrected, a panel judges it again. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useWrite } from "@/api/queries";
import { ReasonFields, useReasons } from "@/item/Reasons";
import { languageOf } from "@/kinds/tree";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";

type Item = Answer<"item_show">;

export function ReopenItem({ item }: { item: Item }) {
  const { t } = useTranslation("item");
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const reopen = useWrite("item_reopen");
  const why = useReasons(item.rules.review_reasons, (given) =>
    reopen.mutate(
      { path: { id: item.id }, body: { ...given, revision_no: item.revision_no, picture_no: item.image.redaction_no } },
      { onSuccess: () => toasts.show(t("reopen.done", { label: item.label })) },
    ),
  );
  if (!isOpen) {
    return (
      <div className="row-actions">
        <Button small look="plain" onClick={() => setOpen(true)} data-testid="reopen">
          {t("reopen.open")}
        </Button>
      </div>
    );
  }
  return (
    <form
      className="card form"
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        why.confirm();
      }}
    >
      <p id={id}>{t("reopen.text", { label: item.label })}</p>
      <ReasonFields of={why} lang={languageOf(item.rules.content)} commentLabel={t("quality:comment")} missing={t("quality:reasonMissing")} rows={2} testId="reopen" />
      {reopen.error && <Problem error={reopen.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={reopen.isPending} data-testid="reopen-confirm">
          {t("reopen.confirm")}
        </Button>
        <Button onClick={() => setOpen(false)}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
