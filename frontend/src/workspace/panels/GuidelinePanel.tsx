/**
 * The guideline beside the work, with the rules the server checks. A version the person has not acknowledged comes
 * first, with what changed in it; one key says that it was read.
 */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { guidelinePictures } from "@/api/guidelinePictures";
import { useRead, useWrite } from "@/api/queries";
import type { WorkRules } from "@/api/types";
import { useInterfaceLanguage, writtenIn } from "@/i18n/localised";
import type { KindView } from "@/kinds/kind";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { isTextField, useActions } from "@/ui/keys";
import { Markdown } from "@/ui/markdown";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import type { WorkGuideline } from "../queue/workQueue";
import { guidelineActions, type GuidelineContext } from "./actions";
import styles from "./panels.module.css";
import workspaceStyles from "../workspace.module.css";

/** One press reads on by about seven lines, in CSS pixels. */
const SCROLL_PX = 150;

interface GuidelinePanelProps {
  slug: string;
  kind: string;
  rules: WorkRules;
  view: KindView;
  guideline: WorkGuideline | null;
  /** Whether submissions wait for it to be acknowledged. */
  asks: boolean;
  /** Changes whenever the task beside it starts again. */
  task: string;
  onAcknowledged: (version: number) => void;
  onClose: () => void;
}

export function GuidelinePanel({ slug, kind, rules, view, guideline, asks, task, onAcknowledged, onClose }: GuidelinePanelProps) {
  const { t } = useTranslation("workspace");
  const language = useInterfaceLanguage();
  const answer = useRead("guideline_show", { path: { b: slug, kind } }, { enabled: guideline !== null, fresh: asks });
  const write = useWrite("guideline_acknowledge");
  const newest = answer.data?.version;

  function acknowledge() {
    if (newest === undefined || write.isPending) return;
    write.mutate({ path: { b: slug, kind }, body: { version: newest } }, { onSuccess: () => onAcknowledged(newest) });
  }

  const panel = useRef<HTMLElement>(null);

  // Someone in the middle of a sentence keeps the cursor; someone who has only come finds the button under Enter.
  const button = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!asks || newest === undefined) return;
    const active = document.activeElement;
    const isWriting = isTextField(active) && "value" in (active ?? {}) && (active as HTMLTextAreaElement).value !== "";
    if (!isWriting) button.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [asks, newest]);

  const { Guide } = view;
  return (
    <section className="guideline-panel" aria-label={t("rules")} data-testid="rules" ref={panel}>
      <Keys
        key={task}
        context={{
          asks: asks && newest !== undefined,
          acknowledge,
          scroll: (step) => panel.current?.closest("aside")?.scrollBy({ top: step * SCROLL_PX }),
          close: onClose,
        }}
      />
      <header>
        <h2>{t("rules")}</h2>
        {!asks && (
          <Button small look="plain" keys="Alt+g" onClick={onClose}>
            {t("ui:close")}
          </Button>
        )}
      </header>
      {guideline !== null && (
        <Loaded of={answer}>
          {(data) => {
            const change = data.versions.find(({ version }) => version === data.version);
            const read = writtenIn(data.text, language);
            return (
              <>
                {asks && (
                  <Notice tone="warn">
                    <div ref={button} className={styles.guidelineAsks} data-testid="guideline-unconfirmed">
                      <p>{data.version === 1 ? t("guideline.first") : t("guideline.newer", { version: data.version })}</p>
                      {change && change.note !== "" && (
                        <p>
                          <b>{t("guideline.changed")}</b><Gap />{change.note}
                        </p>
                      )}
                      <Button
                        look="primary"
                        keys="Alt+a"
                        busy={write.isPending}
                        onClick={acknowledge}
                        data-testid="acknowledge"
                      >
                        {t("guideline.acknowledge")}
                      </Button>
                    </div>
                  </Notice>
                )}
                {write.error && <Problem error={write.error} />}
                <p className="tiny">
                  {t("guideline.version", { version: data.version })}
                  {change && (
                    <>
                      {" · "}
                      <Time at={change.created_at} />
                    </>
                  )}
                </p>
                <Markdown text={read.text} lang={read.language} pictures={guidelinePictures(slug, kind)} />
              </>
            );
          }}
        </Loaded>
      )}
      <div className={workspaceStyles.rules}>
        <Guide rules={rules} />
      </div>
    </section>
  );
}

/** By themselves, so that they can be placed above a task that has started again while the text stays where it was scrolled. */
function Keys({ context }: { context: GuidelineContext }) {
  useActions(guidelineActions, context);
  return null;
}
