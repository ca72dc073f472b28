/** Writes the next version of a kind's guidelines in up to three languages, as it will be read beside it. */
import { useDeferredValue, useId, useRef, useState, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { guidelinePictures } from "@/api/guidelinePictures";
import { useRead } from "@/api/queries";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "@/i18n/languages";
import { useInterfaceLanguage } from "@/i18n/localised";
import { TextDiff } from "@/item/TextDiff";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { TextField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { Markdown } from "@/ui/markdown";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { editActions } from "./actions";
import type { Texts } from "./draftStorage";
import { InsertPicture } from "./InsertPicture";
import { useGuidelineDraft, type Guideline } from "./useGuidelineDraft";
import styles from "./guidelines.module.css";

export function EditPage() {
  const { t } = useTranslation("guidelines");
  const slug = useSlug();
  const { kind = "" } = useParams();
  const newest = useRead("guideline_show", { path: { b: slug, kind } }, { fresh: true });
  const title = t("edit.title", { kind: t([`ui:kind.${kind}`, kind]) });
  // Remembered while the first version is published: its refetch has neither error nor data, and the editor must stay mounted.
  const [kindWithout, setKindWithout] = useState<string | null>(null);
  if (newest.error?.code === "not_found" && kindWithout !== kind) setKindWithout(kind);
  const isFirst = newest.data === undefined && kindWithout === kind;
  return (
    <Page
      title={title}
      lead={t("edit.lead")}
      actions={<ButtonLink to={`/b/${slug}/guidelines/${kind}`}>{t("edit.back")}</ButtonLink>}
    >
      <Loaded of={isFirst ? { ...newest, data: null, error: null } : newest}>
        {(data) => <Editor slug={slug} kind={kind} newest={data} onRefetch={newest.refetch} />}
      </Loaded>
    </Page>
  );
}

interface EditorProps {
  slug: string;
  kind: string;
  /** The newest version that was fetched; it changes when someone else publishes one. */
  newest: Guideline | null;
  onRefetch: () => unknown;
}

function Editor({ slug, kind, newest, onRefetch }: EditorProps) {
  const { t } = useTranslation("guidelines");
  const area = useRef<HTMLTextAreaElement>(null);
  const [language, setLanguage] = useState<Language>(useInterfaceLanguage());
  const draft = useGuidelineDraft({ slug, kind, newest, onRefetch });
  const { text, note, base, isStale, isSame, publish } = draft;
  const pictures = guidelinePictures(slug, kind);
  const write = (source: string) => draft.change({ text: { ...text, [language]: source } });

  useActions(editActions, {
    canPublish: draft.canPublish,
    publish: draft.send,
    nextLanguage: () => {
      setLanguage(LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length] ?? language);
      area.current?.focus();
    },
  });

  return (
    <div className="form">
      {draft.wasRestored && !isStale && !isSame && (
        <Notice
          action={
            <Button small onClick={draft.discard} data-testid="discard-draft">
              {t("edit.discard")}
            </Button>
          }
        >
          {t("edit.kept")}
        </Notice>
      )}
      {isStale && newest && (
        <NewerVersion newest={newest} mine={text} language={language} pictures={pictures} onContinue={() => draft.change({ base: newest.version })} />
      )}
      <div className={styles.guidelineTools}>
        <ChoiceChips
          label={t("language")}
          value={language}
          onChoose={setLanguage}
          choices={LANGUAGES.map((one) => ({
            value: one,
            lang: one,
            testId: `write-${one}`,
            text: (
              <>
                {LANGUAGE_NAMES[one]}
                {(text[one] ?? "").trim() === "" && <span aria-hidden="true"> ○</span>}
              </>
            ),
          }))}
        />
        <PresetButton
          slug={slug}
          kind={kind}
          onText={(preset) => {
            draft.change({ text: preset });
            toasts.show(t("edit.presetInserted"), { label: t("edit.undo"), perform: () => draft.change({ text }) });
          }}
        />
      </div>
      <SourceAndPreview ref={area} language={language} source={text[language] ?? ""} pictures={pictures} onSource={write} />
      <InsertPicture slug={slug} area={area} source={text[language] ?? ""} onSource={write} />
      <TextField
        label={t("edit.note")}
        hint={t("edit.noteHint")}
        maxLength={500}
        value={note}
        onChange={(event) => draft.change({ note: event.target.value })}
        data-testid="guideline-note"
      />
      {publish.error && publish.error.code !== "stale_row" && <Problem error={publish.error} />}
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" busy={publish.isPending} disabled={!draft.canPublish} onClick={draft.send} data-testid="publish-guideline">
          {t("action.publish")}
        </Button>
        <span className="tiny">{isSame ? t("edit.same") : t("edit.effect", { version: base + 1 })}</span>
      </div>
    </div>
  );
}

interface SourceProps {
  ref: Ref<HTMLTextAreaElement>;
  language: Language;
  source: string;
  pictures: (written: string) => string | null;
  onSource: (source: string) => void;
}

/** One language's text as Markdown, beside how it will be read. */
function SourceAndPreview({ ref, language, source, pictures, onSource }: SourceProps) {
  const { t } = useTranslation("guidelines");
  const id = useId();
  const previewed = useDeferredValue(source);
  return (
    <div className={styles.guidelineEditor}>
      <div>
        <label className="label" htmlFor={id}>
          {t("edit.text", { language: LANGUAGE_NAMES[language] })}
        </label>
        <textarea
          ref={ref}
          id={id}
          className="input"
          lang={language}
          value={source}
          maxLength={60_000}
          onChange={(event) => onSource(event.target.value)}
          data-testid="guideline-source"
        />
      </div>
      <section aria-label={t("edit.preview")}>
        <p className="label">{t("edit.preview")}</p>
        <div className={`card ${styles.guidelinePreview}`} tabIndex={0}>
          {previewed.trim() === "" ? <p className="dim">{t("edit.nothing")}</p> : <Markdown text={previewed} lang={language} under={1} pictures={pictures} />}
        </div>
      </section>
    </div>
  );
}

/** Fills all three languages with the text that ships, where the protocol has one. */
function PresetButton({ slug, kind, onText }: { slug: string; kind: string; onText: (text: Texts) => void }) {
  const { t } = useTranslation("guidelines");
  const list = useRead("guideline_list", { path: { b: slug } });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  if (list.data?.find((row) => row.kind === kind)?.has_preset !== true) return null;
  const take = async () => {
    setBusy(true);
    try {
      onText((await call("guideline_preset", { path: { b: slug, kind } })).text);
      setError(null);
    } catch (reason) {
      setError(toApiError(reason));
    }
    setBusy(false);
  };
  return (
    <>
      <Button small busy={busy} onClick={() => void take()} data-testid="from-preset">
        {t("edit.fromPreset")}
      </Button>
      {error && <Problem error={error} />}
    </>
  );
}

/** A version that someone else published meanwhile, and how the draft differs from it. The draft stays in the field below. */
function NewerVersion(props: { newest: Guideline; mine: Texts; language: Language; pictures: SourceProps["pictures"]; onContinue: () => void }) {
  const { newest, mine, language, pictures, onContinue } = props;
  const { t } = useTranslation("guidelines");
  const change = newest.versions[0];
  return (
    <div data-testid="guideline-conflict">
      <Notice
        tone="warn"
        action={
          <Button small onClick={onContinue} data-testid="continue">
            {t("conflict.continue", { version: newest.version })}
          </Button>
        }
      >
        {t("conflict.text", { version: newest.version, name: change?.by?.name ?? t("ui:nameHidden") })}
        {change && change.note !== "" && <q>{change.note}</q>}
      </Notice>
      <div className={`${styles.guidelineEditor} ${styles.guidelineConflict}`}>
        <section className="card" tabIndex={0} aria-label={t("conflict.other", { version: newest.version })}>
          <h2>{t("conflict.other", { version: newest.version })}</h2>
          <Markdown text={newest.text[language] ?? ""} lang={language} under={2} pictures={pictures} />
        </section>
        <section className="card" tabIndex={0} aria-label={t("conflict.difference")}>
          <h2>{t("conflict.difference")}</h2>
          <TextDiff before={newest.text[language] ?? ""} after={mine[language] ?? ""} lang={language} />
        </section>
      </div>
    </div>
  );
}
