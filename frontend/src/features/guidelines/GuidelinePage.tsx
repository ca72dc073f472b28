/** One kind's guidelines: the text, what a version changed, all versions, and how many people work by each. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { guidelinePictures } from "@/api/guidelinePictures";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "@/i18n/languages";
import { useInterfaceLanguage, writtenIn } from "@/i18n/localised";
import { TextDiff } from "@/item/TextDiff";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Markdown } from "@/ui/markdown";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { readActions } from "./actions";
import styles from "./guidelines.module.css";

type Guideline = Answer<"guideline_show">;

export function GuidelinePage() {
  const { t } = useTranslation("guidelines");
  const slug = useSlug();
  const { kind = "" } = useParams();
  const [query] = useSearchParams();
  const may = useMay(slug);
  const version = Number(query.get("version")) || undefined;
  const guideline = useRead("guideline_show", { path: { b: slug, kind }, query: version === undefined ? {} : { version } });
  const title = t("of", { kind: t([`ui:kind.${kind}`, kind]) });
  if (guideline.data === undefined && guideline.error?.code === "not_found" && version === undefined) {
    return (
      <Page title={title}>
        <Empty
          title={t("empty.title")}
          actions={
            may("guideline_add") && (
              <ButtonLink look="primary" to={`/b/${slug}/guidelines/${kind}/edit`} data-testid="first-guideline">
                {t("action.first")}
              </ButtonLink>
            )
          }
        >
          {t("empty.text")}
        </Empty>
      </Page>
    );
  }
  return <Loaded of={guideline}>{(data) => <Reading key={data.version} guideline={data} title={title} slug={slug} />}</Loaded>;
}

function Reading({ guideline, title, slug }: { guideline: Guideline; title: string; slug: string }) {
  const { t } = useTranslation("guidelines");
  const navigate = useNavigate();
  const may = useMay(slug);
  const interfaceLanguage = useInterfaceLanguage();
  const { kind, version, versions, text } = guideline;
  const row = versions.find((one) => one.version === version);
  const newest = versions[0]?.version ?? version;
  const before = versions.find((one) => one.version < version)?.version;
  const [language, setLanguage] = useState<Language>(() => writtenIn(text, interfaceLanguage).language);
  const [comparing, setComparing] = useState(false);
  const acknowledge = useWrite("guideline_acknowledge");
  const asks = version === newest && !guideline.acknowledged && may("item_submit");
  const edit = `/b/${slug}/guidelines/${kind}/edit`;
  const mayEdit = may("guideline_add") && version === newest;
  const agree = () => {
    if (!acknowledge.isPending) acknowledge.mutate({ path: { b: slug, kind }, body: { version } });
  };
  const compare = before === undefined ? null : () => setComparing(!comparing);
  useActions(readActions, { acknowledge: asks ? agree : null, edit: mayEdit ? () => void navigate(edit) : null, compare });

  const written = LANGUAGES.filter((one) => (text[one] ?? "") !== "");
  return (
    <Page
      title={title}
      lead={
        <>
          {t("version", { version })}
          {row && (
            <>
              {" · "}
              {row.by?.name ?? t("ui:nameHidden")} · <Time at={row.created_at} />
            </>
          )}
        </>
      }
      actions={
        <>
          {compare && (
            <Button keys="d" aria-pressed={comparing} onClick={compare} data-testid="compare-guideline">
              {comparing ? t("action.readText") : t("action.compare")}
            </Button>
          )}
          {mayEdit && (
            <ButtonLink look="primary" keys="e" to={edit} data-testid="edit-guideline">
              {t("action.edit")}
            </ButtonLink>
          )}
        </>
      }
    >
      {version !== newest && (
        <Notice action={<ButtonLink small to={`/b/${slug}/guidelines/${kind}`}>{t("toNewest")}</ButtonLink>}>
          {t("old", { version, newest })}
        </Notice>
      )}
      {asks && (
        <Notice
          tone="warn"
          action={
            <Button look="primary" keys="Alt+a" busy={acknowledge.isPending} onClick={agree} data-testid="acknowledge">
              {t("action.acknowledge")}
            </Button>
          }
        >
          {t("unconfirmed")}
        </Notice>
      )}
      {acknowledge.error && <Problem error={acknowledge.error} />}
      <div className={styles.guidelinePage}>
        <article className="card" data-testid="guideline-text">
          {written.length > 1 && (
            <ChoiceChips
              className={styles.guidelineLanguages}
              label={t("language")}
              value={language}
              choices={written.map((one) => ({ value: one, text: LANGUAGE_NAMES[one], lang: one }))}
              onChoose={setLanguage}
            />
          )}
          {comparing && before !== undefined ? (
            <Changed slug={slug} kind={kind} before={before} text={text} language={language} />
          ) : (
            <Markdown text={text[language] ?? ""} lang={language} under={1} pictures={guidelinePictures(slug, kind)} />
          )}
        </article>
        <section className="card" aria-labelledby="guideline-versions">
          <h2 id="guideline-versions">{t("versions")}</h2>
          <ol className={styles.guidelineVersions} data-testid="guideline-versions">
            {versions.map((one) => (
              <li key={one.version} aria-current={one.version === version || undefined}>
                <p>
                  <Link to={one.version === newest ? `/b/${slug}/guidelines/${kind}` : `?version=${one.version}`}>
                    {t("version", { version: one.version })}
                  </Link>{" "}
                  {one.version === newest && <Chip tone="accent">{t("inForce")}</Chip>}
                </p>
                {one.note !== "" && <p>{one.note}</p>}
                <p className="tiny">
                  {one.by?.name ?? t("ui:nameHidden")} · <Time at={one.created_at} /> · {t("readBy", { count: one.acknowledged_by })}
                </p>
              </li>
            ))}
          </ol>
        </section>
      </div>
    </Page>
  );
}

/** The text against the version before it, as it was typed. */
function Changed(props: { slug: string; kind: string; before: number; text: Guideline["text"]; language: Language }) {
  const { slug, kind, before, text, language } = props;
  const { t } = useTranslation("guidelines");
  const old = useRead("guideline_show", { path: { b: slug, kind }, query: { version: before } });
  return (
    <Loaded of={old}>
      {(data) => (
        <>
          <p className="tiny">{t("comparedWith", { version: before })}</p>
          {(data.text[language] ?? "") === (text[language] ?? "") ? (
            <p className="dim">{t("unchanged")}</p>
          ) : (
            <TextDiff before={data.text[language] ?? ""} after={text[language] ?? ""} lang={language} />
          )}
        </>
      )}
    </Loaded>
  );
}
