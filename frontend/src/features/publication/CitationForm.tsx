/** How to cite the benchmark. */
import { useId, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Publication } from "@/api/types";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import styles from "./publication.module.css";

export function CitationForm({ of, slug }: { of: Publication; slug: string }) {
  const { t } = useTranslation("publication");
  const id = useId();
  const [authors, setAuthors] = useState(of.citation.authors.join("\n"));
  const [title, setTitle] = useState(of.citation.title);
  const [year, setYear] = useState(of.citation.year === null ? "" : String(of.citation.year));
  const [url, setUrl] = useState(of.citation.url);
  const update = useWrite("publication_update");
  const may = of.available_actions.includes("publication_update");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    const names = authors.split("\n").map((name) => name.trim()).filter((name) => name !== "");
    const citation = { authors: names, title: title.trim(), year: year === "" ? null : Number(year), url: url.trim() };
    update.mutate({ path: { b: slug }, body: { citation } }, { onSuccess: () => toasts.show(t("saved")) });
  };
  return (
    <form className={`form ${styles.part}`} onSubmit={onSubmit} data-testid="citation-form">
      <h2>{t("citation.title")}</h2>
      <div className="field">
        <label className="label" htmlFor={`${id}-authors`}>
          {t("citation.authors")}
        </label>
        <textarea
          id={`${id}-authors`}
          className="input"
          rows={4}
          readOnly={!may}
          value={authors}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setAuthors(event.target.value)}
          data-testid="citation-authors"
        />
        <p className="hint" id={`${id}-hint`}>
          {t("citation.authorsHint")}
        </p>
      </div>
      <TextField label={t("citation.name")} hint={t("citation.nameHint")} value={title} maxLength={500} readOnly={!may} onChange={(event) => setTitle(event.target.value)} data-testid="citation-title" />
      <TextField label={t("citation.year")} value={year} inputMode="numeric" pattern="(19|20|21)\d\d" readOnly={!may} onChange={(event) => setYear(event.target.value)} data-testid="citation-year" />
      <TextField label={t("citation.url")} hint={t("citation.urlHint")} value={url} type="url" maxLength={500} readOnly={!may} onChange={(event) => setUrl(event.target.value)} data-testid="citation-url" />
      {update.error && <Problem error={update.error} />}
      {may && (
        <div className="row-actions">
          <Button type="submit" busy={update.isPending} data-testid="save-citation">
            {t("save")}
          </Button>
        </div>
      )}
    </form>
  );
}
