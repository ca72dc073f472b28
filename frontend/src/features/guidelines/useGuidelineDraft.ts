/** The next version of a kind's guidelines while it is written: kept in the browser, published over the version it is based on. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Answer } from "@/api/operations";
import { useWrite } from "@/api/queries";
import { toasts } from "@/ui/toasts";
import { keep, readKept, sameTexts, type Texts } from "./kept";

export type Guideline = Answer<"guideline_show">;

interface Draft {
  text: Texts;
  note: string;
  /** The version that this one replaces. */
  base: number;
}

interface Options {
  slug: string;
  kind: string;
  newest: Guideline | null;
  onRefetch: () => unknown;
}

export function useGuidelineDraft({ slug, kind, newest, onRefetch }: Options) {
  const { t } = useTranslation("guidelines");
  const navigate = useNavigate();
  const current: Draft = { text: newest?.text ?? {}, note: "", base: newest?.version ?? 0 };
  const [kept] = useState(() => readKept(slug, kind));
  const [draft, setDraft] = useState<Draft>(kept ?? current);
  const publish = useWrite("guideline_add", ["guideline_show", "guideline_list"]);
  const isStale = current.base > draft.base;
  const isSame = sameTexts(draft.text, current.text);

  return {
    ...draft,
    publish,
    wasRestored: kept !== null,
    isStale,
    isSame,
    canPublish: !isSame && !isStale && !publish.isPending,
    change: (part: Partial<Draft>) => {
      const next = { ...draft, ...part };
      setDraft(next);
      const isUnchanged = next.base === current.base && next.note === "" && sameTexts(next.text, current.text);
      keep(slug, kind, isUnchanged ? null : next);
      publish.reset();
    },
    discard: () => {
      keep(slug, kind, null);
      setDraft(current);
      publish.reset();
    },
    send: () => {
      publish.mutate(
        { path: { b: slug, kind }, body: { base_version: draft.base, text: draft.text, note: draft.note.trim() } },
        {
          onSuccess: (published) => {
            keep(slug, kind, null);
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
