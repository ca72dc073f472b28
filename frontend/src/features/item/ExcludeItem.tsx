/** Excludes an accepted item for good; its author and those who accepted it read the reason. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "@/api/request";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { toasts } from "@/ui/toasts";

type Item = Answer<"item_show">;

export function ExcludeItem({ item }: { item: Item }) {
  const { t } = useTranslation("item");
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const exclude = useWrite("item_exclude");
  if (!isOpen) {
    return (
      <div className="row-actions">
        <Button small look="plain" onClick={() => setOpen(true)} data-testid="exclude">
          {t("exclude.open")}
        </Button>
      </div>
    );
  }
  return (
    <form
      className="card form"
      aria-label={t("exclude.open")}
      onSubmit={(event) => {
        event.preventDefault();
        exclude.mutate(
          { path: { id: item.id }, body: { revision_no: item.revision_no, reason: reason.trim() } },
          { onSuccess: () => toasts.show(t("exclude.done", { label: item.label })) },
        );
      }}
    >
      <p>{t("exclude.text", { label: item.label })}</p>
      <div className="field">
        <label className="label" htmlFor={id}>
          {t("exclude.reason")}
        </label>
        <textarea
          id={id}
          className="input"
          rows={3}
          maxLength={1000}
          required
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          data-testid="exclude-reason"
        />
      </div>
      {exclude.error && <Problem error={exclude.error} />}
      <div className="row-actions">
        <Button type="submit" look="danger" busy={exclude.isPending} disabled={reason.trim() === ""} data-testid="exclude-confirm">
          {t("exclude.confirm")}
        </Button>
        <Button onClick={() => setOpen(false)}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}

/** Why the item is not accepted, where its state alone does not say it. */
export function WhyNotAccepted({ item }: { item: Item }) {
  const { t } = useTranslation("item");
  const { exclusion } = item;
  if (exclusion !== null) {
    return (
      <Notice tone="bad">
        <span data-testid="exclusion">
          {t("exclude.excluded")}<Gap /><q>{exclusion.reason}</q>{" "}
          <span className="tiny">
            {exclusion.by?.name ?? t("ui:nameHidden")} · <Time at={exclusion.at} />
          </span>
        </span>
      </Notice>
    );
  }
  return item.is_restored ? (
    <Notice tone="warn">
      <span data-testid="restored">{t("ui:restored")}</span>
    </Notice>
  ) : null;
}
