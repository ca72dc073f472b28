/** Writes the next version of a kind's guidelines in up to three languages, as it will be read beside it. */
import { useDeferredValue, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { Answer } from "@/api/operations";
import { useRead, useWrite } from "@/api/queries";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "@/i18n/languages";
import { useInterfaceLanguage } from "@/i18n/localised";
import { TextDiff } from "@/item/TextDiff";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { Markdown } from "@/ui/markdown";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { editActions } from "./actions";
import { keep, readKept, sameTexts, type Texts } from "./kept";
import "./guidelines.css";

type Guideline = Answer<"guideline_show">;

export function EditPage() {
  const { t } = useTranslation("guidelines");
  const slug = useSlug();
  const { kind = "" } = useParams();
  const newest = useRead("guideline_show", { path: { b: slug, kind } }, { fresh: true });
  const title = t("edit.title", { kind: t([`ui:kind.${kind}`, kind]) });
  const isFirst = newest.data === undefined && newest.error?.code === "not_found";
  return (
    <Page
      title={title}
      lead={t("edit.lead")}
      actions={<ButtonLink to={`/b/${slug}/guidelines/${kind}`}>{t("edit.back")}</ButtonLink>}
    >
      {isFirst ? (
        <Editor slug={slug} kind={kind} newest={null} onAsk={newest.refetch} />
      ) : (
        <Answered of={newest}>{(data) => <Editor slug={slug} kind={kind} newest={data} onAsk={newest.refetch} />}</Answered>
      )}
    </Page>
  );
}

interface EditorProps {
  slug: string;
  kind: string;
  /** The version in force as last heard of; it changes when somebody else publishes one. */
  newest: Guideline | null;
  onAsk: () => unknown;
}

function Editor({ slug, kind, newest, onAsk }: EditorProps) {
  const { t } = useTranslation("guidelines");
  const navigate = useNavigate();
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const [kept] = useState(() => readKept(slug, kind));
  const [text, setText] = useState<Texts>(kept?.text ?? newest?.text ?? {});
  const [note, setNote] = useState(kept?.note ?? "");
  const [base, setBase] = useState(kept?.base ?? newest?.version ?? 0);
  const [language, setLanguage] = useState<Language>(useInterfaceLanguage());
  const publish = useWrite("guideline_add", ["guideline_show", "guideline_list"]);

  const words = text[language] ?? "";
  const shown = useDeferredValue(words);
  const isStale = (newest?.version ?? 0) > base;
  const isSame = sameTexts(text, newest?.text ?? {});
  const canPublish = !isSame && !isStale && !publish.isPending;

  function write(next: { text?: Texts; note?: string; base?: number }) {
    const now = { text: next.text ?? text, note: next.note ?? note, base: next.base ?? base };
    setText(now.text);
    setNote(now.note);
    setBase(now.base);
    keep(slug, kind, now.base === (newest?.version ?? 0) && now.note === "" && sameTexts(now.text, newest?.text ?? {}) ? null : now);
    publish.reset();
  }
  function startAnew() {
    keep(slug, kind, null);
    setText(newest?.text ?? {});
    setNote("");
    setBase(newest?.version ?? 0);
    publish.reset();
  }
  function send() {
    publish.mutate(
      {
        path: { b: slug, kind },
        body: { base_version: base, text, note: note.trim() },
      },
      {
        onSuccess: (made) => {
          keep(slug, kind, null);
          toasts.show(t("edit.done", { version: made.version }));
          void navigate(`/b/${slug}/guidelines/${kind}`);
        },
        onError: (error) => {
          if (error.code === "stale_row") void onAsk();
        },
      },
    );
  }
  useActions(editActions, {
    canPublish,
    publish: send,
    nextLanguage: () => {
      setLanguage(LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length] ?? language);
      area.current?.focus();
    },
  });

  return (
    <div className="form">
      {kept !== null && !isStale && !isSame && (
        <Notice
          action={
            <Button small onClick={startAnew} data-testid="start-anew">
              {t("edit.startAnew")}
            </Button>
          }
        >
          {t("edit.kept")}
        </Notice>
      )}
      {isStale && newest && (
        <Theirs newest={newest} mine={text} language={language} onGoOn={() => write({ base: newest.version })} />
      )}
      <div className="guideline-tools">
        <div className="chips" role="group" aria-label={t("language")}>
          {LANGUAGES.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              lang={one}
              aria-pressed={one === language}
              onClick={() => setLanguage(one)}
              data-testid={`write-${one}`}
            >
              {LANGUAGE_NAMES[one]}
              {(text[one] ?? "").trim() === "" && <span aria-hidden="true"> ○</span>}
            </button>
          ))}
        </div>
        <FromPreset
          slug={slug}
          kind={kind}
          onText={(preset) => {
            const before = text;
            write({ text: preset });
            toasts.show(t("edit.presetTaken"), { label: t("edit.undo"), perform: () => write({ text: before }) });
          }}
        />
      </div>
      <div className="guideline-editor">
        <div>
          <label className="label" htmlFor={id}>
            {t("edit.text", { language: LANGUAGE_NAMES[language] })}
          </label>
          <textarea
            ref={area}
            id={id}
            className="input"
            lang={language}
            value={words}
            maxLength={60_000}
            onChange={(event) => write({ text: { ...text, [language]: event.target.value } })}
            data-testid="guideline-source"
          />
        </div>
        <section aria-label={t("edit.preview")}>
          <p className="label">{t("edit.preview")}</p>
          <div className="card guideline-preview" tabIndex={0}>
            {shown.trim() === "" ? <p className="dim">{t("edit.nothing")}</p> : <Markdown text={shown} lang={language} under={1} />}
          </div>
        </section>
      </div>
      <TextField
        label={t("edit.note")}
        hint={t("edit.noteHint")}
        maxLength={500}
        value={note}
        onChange={(event) => write({ note: event.target.value })}
        data-testid="guideline-note"
      />
      {publish.error && publish.error.code !== "stale_row" && <Problem error={publish.error} />}
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" busy={publish.isPending} disabled={!canPublish} onClick={send} data-testid="publish-guideline">
          {t("action.publish")}
        </Button>
        <span className="tiny">{isSame ? t("edit.same") : t("edit.effect", { version: base + 1 })}</span>
      </div>
    </div>
  );
}

/** Fills all three languages with the text that ships, where the protocol has one. */
function FromPreset({ slug, kind, onText }: { slug: string; kind: string; onText: (text: Texts) => void }) {
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

/** Somebody else's newer version beside one's own text. Nothing is lost: one's own is still in the field below. */
function Theirs(props: { newest: Guideline; mine: Texts; language: Language; onGoOn: () => void }) {
  const { newest, mine, language, onGoOn } = props;
  const { t } = useTranslation("guidelines");
  const change = newest.versions[0];
  return (
    <div data-testid="guideline-conflict">
      <Notice
        tone="warn"
        action={
          <Button small onClick={onGoOn} data-testid="go-on">
            {t("conflict.goOn", { version: newest.version })}
          </Button>
        }
      >
        {t("conflict.text", { version: newest.version, name: change?.by?.name ?? t("hidden") })}
        {change && change.note !== "" && <q>{change.note}</q>}
      </Notice>
      <div className="guideline-editor guideline-conflict">
        <section className="card" tabIndex={0} aria-label={t("conflict.theirs", { version: newest.version })}>
          <h2>{t("conflict.theirs", { version: newest.version })}</h2>
          <Markdown text={newest.text[language] ?? ""} lang={language} under={2} />
        </section>
        <section className="card" tabIndex={0} aria-label={t("conflict.difference")}>
          <h2>{t("conflict.difference")}</h2>
          <TextDiff before={newest.text[language] ?? ""} after={mine[language] ?? ""} lang={language} />
        </section>
      </div>
    </div>
  );
}
