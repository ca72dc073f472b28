/** One version of a prompt: its template, beside what a model gets for an accepted item; a copy can be edited and added. */
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { PromptVersionAnswer } from "@/api/types";
import { useDebounced } from "@/api/useDebounced";
import { LANGUAGE_NAMES, isLanguage } from "@/i18n/languages";
import { useLocalised } from "@/i18n/localised";
import { Button, ButtonLink } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { toasts } from "@/ui/toasts";
import { promptActions } from "./actions";
import { OriginChip } from "./PromptsPage";
import { Rendering } from "./Rendering";
import { TemplateEditor } from "./TemplateEditor";
import { faultsIn, goToLine, promptPath } from "./versions";
import styles from "./prompts.module.css";

export function PromptPage() {
  const { t } = useTranslation("prompts");
  const slug = useSlug();
  const { name = "", language = "", no = "" } = useParams();
  const prompt = useRead("prompt_show", { path: { b: slug, name, language, id: Number(no) } });
  const tongue = isLanguage(language) ? LANGUAGE_NAMES[language] : language;
  return (
    <Page
      title={prompt.error?.code === "not_found" ? t("ui:notFound.title") : t("titleOf", { name, no })}
      lead={prompt.error === null ? tongue : undefined}
      actions={<ButtonLink to={`/b/${slug}/prompts`}>{t("back")}</ButtonLink>}
    >
      <Loaded of={prompt}>{(data) => <Prompt key={data.sha256} slug={slug} prompt={data} />}</Loaded>
    </Page>
  );
}

function Prompt({ slug, prompt }: { slug: string; prompt: PromptVersionAnswer }) {
  const { t } = useTranslation("prompts");
  const inReadersLanguage = useLocalised();
  const may = useMay(slug);
  const navigate = useNavigate();
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const text = useDebounced(draft);
  const add = useWrite("prompt_add");
  const faults = faultsIn(add.error);
  const isSame = draft === null || draft === prompt.text;
  const edit = draft === null && may("prompt_add") ? () => setDraft(prompt.text) : null;
  const change = (changed: string) => {
    add.reset();
    setDraft(changed);
  };
  const save = () => {
    if (draft === null || isSame || add.isPending) return;
    const { name, language, no } = prompt;
    add.mutate(
      { path: { b: slug }, body: { name, language, base_no: no, text: draft } },
      {
        onSuccess: (added) => {
          toasts.show(t("added", { no: added.no }));
          void navigate(promptPath(slug, added));
        },
      },
    );
  };
  useActions(promptActions, { edit, add: isSame ? null : save });
  return (
    <>
      <p className={styles.facts}>
        <OriginChip row={prompt} />{" "}
        {prompt.is_own ? (
          <>
            {t("basedOn", { no: prompt.base_no })} · {prompt.by?.name ?? t("ui:nameHidden")} · {prompt.created_at !== null && <Time at={prompt.created_at} />}
          </>
        ) : (
          inReadersLanguage(prompt.source)
        )}
      </p>
      <Others slug={slug} prompt={prompt} />
      <div className={styles.beside}>
        <section aria-labelledby="template">
          <div className={styles.head}>
            <h2 id="template">{t("template")}</h2>
            {edit !== null && (
              <Button small keys="e" onClick={edit} data-testid="edit-prompt">
                {t("edit")}
              </Button>
            )}
          </div>
          {draft === null ? (
            <pre className={styles.template} tabIndex={0} aria-labelledby="template" data-testid="template">
              {prompt.text}
            </pre>
          ) : (
            <>
              <TemplateEditor ref={area} value={draft} onChange={change} isWrong={faults.length > 0} />
              {faults.length > 0 ? <Notice tone="bad">{t("notAdded", { count: faults.length })}</Notice> : add.error && <Problem error={add.error} />}
              <div className="row-actions">
                <Button look="primary" keys="Mod+Enter" busy={add.isPending} disabled={isSame} onClick={save} data-testid="add-prompt">
                  {t("add")}
                </Button>
                <Button look="plain" onClick={() => setDraft(null)} data-testid="cancel-prompt">
                  {t("cancel")}
                </Button>
              </div>
              <p className="tiny">{t("addHint")}</p>
            </>
          )}
        </section>
        <Rendering
          slug={slug}
          prompt={prompt}
          text={draft === null ? null : text}
          onLine={draft === null ? undefined : (line) => goToLine(area.current, line)}
        />
      </div>
    </>
  );
}

/** The other versions and languages of the same prompt. */
function Others({ slug, prompt }: { slug: string; prompt: PromptVersionAnswer }) {
  const { t } = useTranslation("prompts");
  const rows = (useRead("prompt_list", { path: { b: slug } }).data ?? []).filter((row) => row.name === prompt.name);
  if (rows.length < 2) return null;
  return (
    <nav className={styles.others} aria-label={t("others")}>
      {rows.map((row) => {
        const isThis = row.no === prompt.no && row.language === prompt.language;
        return (
          <Link key={`${row.language} ${String(row.no)}`} to={promptPath(slug, row)} aria-current={isThis ? "page" : undefined}>
            {t("otherVersion", { no: row.no, language: isLanguage(row.language) ? LANGUAGE_NAMES[row.language] : row.language })}
          </Link>
        );
      })}
    </nav>
  );
}
