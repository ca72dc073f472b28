/** An accepted item whose picture was covered since: someone says that it is still right, or excludes it. */
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";

export function ConfirmItem({ item }: { item: Answer<"item_show"> }) {
  const { t } = useTranslation("item");
  const confirm = useWrite("item_confirm");
  const send = () =>
    confirm.mutate(
      { path: { id: item.id }, body: { revision_no: item.revision_no, picture_no: item.image.redaction_no } },
      { onSuccess: () => toasts.show(t("confirm.done", { label: item.label })) },
    );
  return (
    <>
      <Notice
        tone="warn"
        action={
          <Button small busy={confirm.isPending} onClick={send} data-testid="confirm-item">
            {t("confirm.button")}
          </Button>
        }
      >
        <span data-testid="picture-changed">{t("confirm.text")}</span>
      </Notice>
      {confirm.error && <Problem error={confirm.error} />}
    </>
  );
}
