/** The next version of a kind's guidelines while it is written: stored in the browser, published over the version it is based on. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Answer } from "@/api/request";
import { useWrite } from "@/api/queries";
import { toasts } from "@/ui/toasts";
import { storeDraft, readDraft, sameTexts, type StoredDraft } from "./draftStorage";

export type Guideline = Answer<"guideline_show">;

interface Options {
  slug: string;
  kind: string;
  newest: Guideline | null;
  onRefetch: () => unknown;
}

export function useGuidelineDraft({ slug, kind, newest, onRefetch }: Options) {
  const { t } = useTranslation("guidelines");
  const navigate = useNavigate();
  const current: StoredDraft = { text: newest?.text ?? {}, note: "", base: newest?.version ?? 0 };
  const [stored] = useState(() => readDraft(slug, kind));
  const [draft, setDraft] = useState<StoredDraft>(stored ?? current);
  const publish = useWrite("guideline_add");
  const isStale = current.base > draft.base;
  const isSame = sameTexts(draft.text, current.text);

  return {
    ...draft,
    publish,
    wasRestored: stored !== null,
    isStale,
    isSame,
    canPublish: !isSame && !isStale && !publish.isPending,
    change: (part: Partial<StoredDraft>) => {
      const next = { ...draft, ...part };
      setDraft(next);
      const isUnchanged = next.base === current.base && next.note === "" && sameTexts(next.text, current.text);
      storeDraft(slug, kind, isUnchanged ? null : next);
      publish.reset();
    },
    discard: () => {
      storeDraft(slug, kind, null);
      setDraft(current);
      publish.reset();
    },
    send: () => {
      publish.mutate(
        { path: { b: slug, kind }, body: { base_version: draft.base, text: draft.text, note: draft.note.trim() } },
        {
          onSuccess: (published) => {
            storeDraft(slug, kind, null);
            toasts.show(t("edit.done", { version: published.version }));
            void navigate(`/b/${slug}/guidelines/${kind}`);
          },
          onError: (error) => {
            if (error.code === "stale_row") void onRefetch();
          },
        },
      );
    },
  };
}
