/** Discards what a person wrote of an item and could not or does not want to submit; the submitted version stays. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toApiError, type ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import { toasts } from "@/ui/toasts";
import type { Delivery } from "../saving/delivery";
import { failureOf } from "../saving/failure";

export interface DiscardVersion {
  discard: () => void;
  isBusy: boolean;
  error: ApiError | null;
}

interface Options {
  /** Fetches the item without what was discarded. */
  reload: () => Promise<void>;
  /** Both are called before a refused text is forgotten, so that nothing older is shown in its place. */
  onDone: () => void;
}

export function useDiscardVersion(delivery: Delivery, item: { id: number; label: string }, { reload, onDone }: Options): DiscardVersion {
  const { t } = useTranslation("workspace");
  const { mutateAsync: deleteDraft } = useWrite("draft_delete");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  async function discard() {
    // A draft that is still to be sent must not arrive after the stored one was deleted.
    await delivery.flushDraft(item.id);
    try {
      await deleteDraft({ path: { id: item.id } });
    } catch (refusal) {
      // Where the person may not write the item any more, nothing of theirs is shown to them: what is left is here.
      if (failureOf(refusal).kind !== "refused") throw refusal;
    }
    await delivery.dropDraft(item.id);
    await reload();
    onDone();
    await delivery.dropRefused(item.id);
    toasts.show(t("team.version.done", { label: item.label }));
  }

  return {
    isBusy,
    error,
    discard: () => {
      setBusy(true);
      setError(null);
      void discard()
        .catch((reason: unknown) => setError(toApiError(reason)))
        .finally(() => setBusy(false));
    },
  };
}
