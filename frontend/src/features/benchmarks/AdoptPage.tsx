/** Writing the next version of a protocol: faults as one types, and what it would change before it is adopted. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import type { ApiError } from "@/api/errors";
import { useRead, useWrite } from "@/api/queries";
import type { Proposal, ProtocolVersion } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { AdoptEffect } from "./AdoptEffect";
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
  const propose = useWrite("protocol_propose");

  const effect = checked.isCurrent ? (checked.answer?.effect ?? null) : null;
  const faults = text.trim() === "" ? [] : (checked.answer?.faults ?? []);
  const state = effect === null ? null : effectState(effect, base);
  const needsSecond = effect?.needs_second ?? false;
  const busy = adopt.isPending || propose.isPending;
  const canFinish = state === "ready" && !busy;
  const error = adopt.error ?? propose.error;

  const forget = () => {
    adopt.reset();
    propose.reset();
  };
  const write = (next: string) => {
    setText(next);
    storeDraft(slug, next === current.source && base === current.version ? null : { text: next, base });
    forget();
  };
  const continueOn = (next: number) => {
    setBase(next);
    storeDraft(slug, { text, base: next });
    forget();
  };
  const readAgain = () => client.invalidateQueries({ queryKey: ["benchmark_show"] });
  const onError = (refusal: ApiError) => {
    if (refusal.code === "stale_protocol") void readAgain();
  };
  const request = { path: { b: slug }, body: { text, base_version: base } };
  const finish = () => {
    if (needsSecond) {
      const onSuccess = (proposed: Proposal) => {
        storeDraft(slug, null);
        toasts.show(t("proposal.done"));
        void navigate(`/b/${slug}/protocol/proposals/${String(proposed.id)}`);
      };
      propose.mutate(request, { onSuccess, onError });
    } else {
      const onSuccess = (created: ProtocolVersion) => {
        storeDraft(slug, null);
        toasts.show(t("adopt.done", { version: created.version }));
        void readAgain().then(() => navigate(`/b/${slug}/protocol/versions/${String(created.version)}`));
      };
      adopt.mutate(request, { onSuccess, onError });
    }
  };
  const nextFault = () => {
    const place = area.current;
    const after = place === null ? 0 : lineAt(place.value, place.selectionStart);
    const line = nextFaultyLine(faults, after);
    if (line !== null) goToLine(place, line);
  };
  useActions(editorActions, { hasFaults: faults.length > 0, canFinish, proposes: needsSecond, nextFault, finish });

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
        {effect !== null && state !== null && <AdoptEffect slug={slug} base={base} effect={effect} state={state} onContinue={() => continueOn(effect.base_version)} />}
      </section>
      {error && <Problem error={error} />}
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" busy={busy} disabled={!canFinish} onClick={finish} data-testid="adopt">
          {t(needsSecond ? "adopt.propose" : "adopt.go", { version: base + 1 })}
        </Button>
        <ButtonLink to={`/b/${slug}/protocol`}>{t("ui:cancel")}</ButtonLink>
      </div>
    </>
  );
}
