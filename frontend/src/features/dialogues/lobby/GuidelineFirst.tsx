/** The guidelines of dialogues: who has not acknowledged the newest reads them before waiting for a partner. */
import { useTranslation } from "react-i18next";
import { guidelinePictures } from "@/api/guidelinePictures";
import { useRead, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import type { ApiError } from "@/api/errors";
import { useInterfaceLanguage, writtenIn } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { Loading } from "@/ui/Loading";
import { Markdown } from "@/ui/markdown";
import { Problem } from "@/ui/Problem";
import styles from "./lobby.module.css";

export interface GuidelineState {
  slug: string;
  kind: string;
  /** The newest text if it is to be acknowledged. */
  text: Answer<"guideline_show">["text"] | null;
  isLoading: boolean;
  /** Whether nothing is left to acknowledge. */
  isReady: boolean;
  isBusy: boolean;
  error: ApiError | null;
  /** Null where there is nothing to acknowledge. */
  acknowledge: (() => void) | null;
}

export function useGuideline(slug: string, kind: string): GuidelineState {
  const guideline = useRead("guideline_show", { path: { b: slug, kind } }, { fresh: true });
  const write = useWrite("guideline_acknowledge");
  const { data, error } = guideline;
  const hasNone = error?.code === "not_found";
  const open = data !== undefined && !data.acknowledged ? data : null;
  return {
    slug,
    kind,
    text: open?.text ?? null,
    isLoading: data === undefined && error === null,
    isReady: hasNone || (data !== undefined && open === null),
    isBusy: write.isPending,
    error: write.error ?? (hasNone ? null : error),
    acknowledge: open === null || write.isPending ? null : () => write.mutate({ path: { b: slug, kind }, body: { version: open.version } }),
  };
}

export function GuidelineFirst({ state: { slug, kind, text, isLoading, isBusy, error, acknowledge } }: { state: GuidelineState }) {
  const { t } = useTranslation("dialogues");
  const language = useInterfaceLanguage();
  if (isLoading) return <Loading />;
  const read = text && writtenIn(text, language);
  return (
    <>
      {error && <Problem error={error} />}
      {read && (
        <section className={`card ${styles.guideline}`} aria-label={t("lobby.guideline")} data-testid="guideline-first">
          <p>
            <b>{t("lobby.readFirst")}</b>
          </p>
          <div className={styles.guidelineText} tabIndex={0} role="region" aria-label={t("lobby.guideline")}>
            <Markdown text={read.text} lang={read.language} pictures={guidelinePictures(slug, kind)} />
          </div>
          <Button look="primary" keys="Alt+a" busy={isBusy} onClick={() => acknowledge?.()} data-testid="acknowledge">
            {t("guidelines:action.acknowledge")}
          </Button>
        </section>
      )}
    </>
  );
}
