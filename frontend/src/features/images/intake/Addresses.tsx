/** Pictures by a list of their web addresses: checked line by line, then fetched by the server. */
import { useId, useRef, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { UrlListPreview } from "@/api/types";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { useErrorText, Problem } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import { AddressLists } from "./AddressLists";
import { textOf } from "./textOf";
import styles from "./addresses.module.css";

interface AddressesProps {
  slug: string;
  mostLines: number;
  /** Files of the person's lists have arrived as uploads. */
  onFetched: () => void;
}

export function Addresses({ slug, mostLines, onFetched }: AddressesProps) {
  const { t } = useTranslation("images");
  const id = useId();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const preview = useWrite("url_list_preview");
  const create = useWrite("url_list_create");
  const path = { b: slug };

  const change = (value: string) => {
    setText(value);
    preview.reset();
    create.reset();
  };
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    preview.mutate({ path, body: { text } });
  };
  const fetchAll = () => create.mutate({ path, body: { text } }, { onSuccess: () => change("") });
  const error = create.error ?? preview.error;

  return (
    <section className={`card form ${styles.addresses}`} aria-labelledby={`${id}-title`} data-testid="addresses">
      <h2 id={`${id}-title`}>{t("addresses.title")}</h2>
      <form onSubmit={onSubmit}>
        <div className="field">
          <label className="label" htmlFor={id}>
            {t("addresses.list")}
          </label>
          <textarea
            id={id}
            className={`input ${styles.text}`}
            rows={6}
            spellCheck={false}
            placeholder={"url,licence,author,category,page\nhttps://…/1.jpg,CC-BY-4.0,…"}
            aria-describedby={`${id}-hint`}
            value={text}
            onChange={(event) => change(event.target.value)}
            data-testid="addresses-text"
          />
          <p className="hint" id={`${id}-hint`}>
            {t("addresses.hint", { maximum: mostLines })}
          </p>
        </div>
        <div className="row-actions">
          <Button type="submit" busy={preview.isPending} disabled={text.trim() === ""} data-testid="addresses-check">
            {t("addresses.check")}
          </Button>
          <Button look="plain" onClick={() => input.current?.click()}>
            {t("addresses.chooseFile")}
          </Button>
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
            className="visually-hidden"
            tabIndex={-1}
            aria-label={t("addresses.chooseFile")}
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              if (file) void textOf(file).then(change);
              event.target.value = "";
            }}
            data-testid="addresses-file"
          />
        </div>
      </form>
      {error && <Problem error={error} />}
      {preview.data && (
        <>
          <Preview of={preview.data} />
          <div className="row-actions">
            <Button look="primary" busy={create.isPending} disabled={preview.data.valid === 0} onClick={fetchAll} data-testid="addresses-fetch">
              {t("addresses.fetch", { count: preview.data.valid })}
            </Button>
          </div>
        </>
      )}
      <AddressLists slug={slug} onFetched={onFetched} />
    </section>
  );
}

/** The lines as they were read, those with errors first. */
function Preview({ of }: { of: UrlListPreview }) {
  const { t } = useTranslation("images");
  const errorText = useErrorText();
  const faulty = of.lines.length - of.valid;
  const lines = [...of.lines].sort((one, other) => Math.sign(other.errors.length) - Math.sign(one.errors.length) || one.line - other.line);
  return (
    <>
      {faulty > 0 && (
        <div data-testid="addresses-faulty">
          <Notice tone="warn">{t("addresses.skipped", { count: faulty })}</Notice>
        </div>
      )}
      <WideTable label={t("addresses.preview")}>
        <table className={`table ${styles.table}`} data-testid="addresses-preview">
          <TableHead
            columns={[{ number: t("addresses.column.line") }, t("addresses.column.url"), t("addresses.column.licence"), t("addresses.column.author"), t("addresses.column.category")]}
          />
          <tbody>
            {lines.map((line) => (
              <tr key={line.line} data-valid={line.errors.length === 0}>
                <td className="number">{line.line}</td>
                <td className={styles.url}>
                  {line.url}
                  {line.page !== "" && <div className="dim">{line.page}</div>}
                  {line.errors.map((error) => (
                    <p key={error.code} className="wrong" data-testid="addresses-error" data-code={error.code}>
                      {errorText(error)}
                    </p>
                  ))}
                </td>
                <td>{line.licence}</td>
                <td>{line.author}</td>
                <td>{line.category}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}
