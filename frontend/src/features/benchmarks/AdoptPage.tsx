/** Writing the next version of a protocol: faults as one types, and what it would change before it is adopted. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { ProtocolVersion } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { ChangeList } from "./ChangeList";
import { effectState } from "./changes";
import { editorActions } from "./editorActions";
import { lineAt, nextFaultyLine } from "./faults";
import { storeDraft, readDraft } from "./draftStorage";
import { goToLine, ProtocolEditor } from "./ProtocolEditor";
import { useCheck } from "./useCheck";
import styles from "./benchmarks.module.css";

export function AdoptPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  const version = benchmark.data?.protocol.version;
  const current = useRead("protocol_show", { path: { b: slug, version: version ?? 0 } }, { enabled: version !== undefined, staleTime: Infinity });
  return (
    <Page
      title={t("adopt.title")}
      lead={t("adopt.lead")}
      actions={<ButtonLink to={`/b/${slug}/protocol/versions`}>{t("versions.title")}</ButtonLink>}
    >
      {benchmark.error ? <Problem error={benchmark.error} /> : <Loaded of={current}>{(data) => <Writing key={slug} slug={slug} current={data} />}</Loaded>}
    </Page>
  );
}

function Writing({ slug, current }: { slug: string; current: ProtocolVersion }) {
  const { t } = useTranslation("benchmarks");
  const navigate = useNavigate();
  const client = useQueryClient();
  const [started] = useState(() => readDraft(slug));
  const [text, setText] = useState(started?.text ?? current.source);
  const [base, setBase] = useState(started?.base ?? current.version);
  const area = useRef<HTMLTextAreaElement>(null);
  const checked = useCheck(text, slug, base);
  // The benchmark is read again last: its new version takes this part of the page away, and what follows with it.
  const adopt = useWrite("protocol_adopt");

  const effect = checked.isCurrent ? (checked.answer?.effect ?? null) : null;
  const faults = text.trim() === "" ? [] : (checked.answer?.faults ?? []);
  const state = effect === null ? null : effectState(effect, base);
  const canAdopt = state === "ready" && !adopt.isPending;

  const write = (next: string) => {
    setText(next);
    storeDraft(slug, next === current.source && base === current.version ? null : { text: next, base });
    adopt.reset();
  };
  const finish = () => {
    adopt.mutate(
      { path: { b: slug }, body: { text, base_version: base } },
      {
        onSuccess: (created) => {
          storeDraft(slug, null);
          toasts.show(t("adopt.done", { version: created.version }));
          void client.invalidateQueries({ queryKey: ["benchmark_show"] }).then(() => navigate(`/b/${slug}/protocol/versions/${String(created.version)}`));
        },
        onError: (error) => {
          if (error.code === "stale_protocol") void client.invalidateQueries({ queryKey: ["benchmark_show"] });
        },
      },
    );
  };
  const nextFault = () => {
    const place = area.current;
    const after = place === null ? 0 : lineAt(place.value, place.selectionStart);
    const line = nextFaultyLine(faults, after);
    if (line !== null) goToLine(place, line);
  };
  useActions(editorActions, { hasFaults: faults.length > 0, canFinish: canAdopt, nextFault, finish });

  return (
    <>
      {started !== null && (
        <Notice
          action={
            <Button
              small
              onClick={() => {
                storeDraft(slug, null);
                setText(current.source);
                setBase(current.version);
              }}
              data-testid="discard-draft"
            >
              {t("adopt.discard", { version: current.version })}
            </Button>
          }
        >
          {t("adopt.kept")}
        </Notice>
      )}
      {current.source === "" && <Notice>{t("adopt.noSource")}</Notice>}
      <ProtocolEditor label={t("adopt.text", { version: base + 1 })} value={text} onChange={write} checked={checked} area={area} />
      <section className={styles.effect} aria-live="polite" data-testid="effect">
        {effect !== null && state !== null && (
          <>
            <h2>{t("adopt.effect", { count: effect.changes.length, version: effect.base_version })}</h2>
            {state === "same" && <p className="dim">{t("adopt.same")}</p>}
            {state === "stale" && (
              <Notice
                tone="warn"
                action={
                  <span className="row-actions">
                    <ButtonLink small to={`/b/${slug}/protocol/compare?version=${String(effect.base_version)}&with=${String(base)}`}>
                      {t("adopt.seeOther", { version: effect.base_version })}
                    </ButtonLink>
                    <Button
                      small
                      onClick={() => {
                        setBase(effect.base_version);
                        storeDraft(slug, { text, base: effect.base_version });
                        adopt.reset();
                      }}
                      data-testid="continue"
                    >
                      {t("adopt.continue", { version: effect.base_version })}
                    </Button>
                  </span>
                }
              >
                {t("adopt.stale", { version: effect.base_version, base })}
              </Notice>
            )}
            {state === "locked" && <Notice tone="bad">{t("adopt.locked")}</Notice>}
            {effect.asks_consent_again && <Notice tone="warn">{t("adopt.consentChanges")}</Notice>}
            {state !== "same" && <ChangeList changes={effect.changes} under={2} marksLocked={effect.work_has_begun} />}
          </>
        )}
      </section>
      {adopt.error && <Problem error={adopt.error} />}
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" busy={adopt.isPending} disabled={!canAdopt} onClick={finish} data-testid="adopt">
          {t("adopt.go", { version: base + 1 })}
        </Button>
        <ButtonLink to={`/b/${slug}/protocol`}>{t("ui:cancel")}</ButtonLink>
      </div>
    </>
  );
}
