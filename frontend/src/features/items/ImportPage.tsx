/** Bulk import of items over pictures that are here already: paste or choose a file, see every row's fault, send in batches. */
import { useQueryClient } from "@tanstack/react-query";
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { call, newClientKey } from "@/api/client";
import { useFormat } from "@/i18n/format";
import { useStore } from "@/store/useStore";
import { useKinds } from "@/kinds/useTrackKinds";
import { Button, ButtonLink } from "@/ui/Button";
import { ChooseFile } from "@/ui/ChooseFile";
import { SelectField } from "@/ui/Field";
import { Gap } from "@/ui/Gap";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { useFlushOnLeaving } from "@/ui/useFlushOnLeaving";
import { BATCH, ImportRun, type ImportState } from "./importRun";
import { readRows } from "./rows";
import styles from "./items.module.css";

/** Faults listed one by one; the rest is counted. */
const LISTED = 200;

export function ImportPage() {
  const { t } = useTranslation("items");
  const slug = useSlug();
  const format = useFormat();
  const queries = useQueryClient();
  const kinds = useKinds(slug);
  const [chosenKind, setKind] = useState<string | null>(null);
  const kind = chosenKind ?? kinds[0] ?? "";
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [run, setRun] = useState<ImportRun | null>(null);
  const { rows, faults } = readRows(text);

  function onFile(chosen: File) {
    setFile(chosen);
    void chosen.text().then(setText);
  }
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (rows.length === 0 || faults.length > 0) return;
    const started = new ImportRun({
      rows,
      newKey: newClientKey,
      send: (batch, key) => call("item_import", { path: { b: slug }, body: { kind, rows: batch, client_key: key } }),
    });
    setRun(started);
    void started.run().then(() => {
      for (const name of ["item_list", "board_show", "package_preview"]) void queries.invalidateQueries({ queryKey: [name] });
    });
  }

  return (
    <Page title={t("import.title")} lead={t("import.lead")} narrow>
      {run ? (
        <Progress run={run} slug={slug} onAgain={() => setRun(null)} />
      ) : (
        <form className="card form" onSubmit={submit} data-testid="import-form">
          {kinds.length > 1 && (
            <SelectField label={t("column.kind")} value={kind} onChange={(event) => setKind(event.target.value)}>
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {t(`ui:kind.${one}`)}
                </option>
              ))}
            </SelectField>
          )}
          <label className="field">
            <span className="label">{t("import.rows")}</span>
            <textarea
              className={`input mono ${styles.importText}`}
              rows={14}
              spellCheck={false}
              value={text}
              placeholder={"image,slot\nimg-0042,0\nimg-0043,0"}
              onChange={(event) => setText(event.target.value)}
              data-testid="import-text"
            />
          </label>
          <p className="tiny">{t("import.hint")}</p>
          <ChooseFile
            file={file}
            onFile={onFile}
            label={t("import.file")}
            ask={t("import.file")}
            choose={t("imports:form.choose")}
            accept=".csv,.tsv,.txt,.jsonl,text/csv,application/jsonl"
            testId="import"
          />
          {faults.length > 0 && (
            <Notice tone="warn">
              <p>{t("import.faults", { count: faults.length })}</p>
              <ul data-testid="import-faults">
                {faults.slice(0, LISTED).map((fault) => (
                  <li key={fault.line}>
                    {t("import.line", { line: format.number(fault.line) })}<Gap />{t(`import.fault.${fault.code}`)}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          <div className="row-actions">
            <Button look="primary" type="submit" disabled={rows.length === 0 || faults.length > 0} data-testid="import-create">
              {t("import.create", { count: rows.length })}
            </Button>
            <ButtonLink to={`/b/${slug}/items`}>{t("ui:cancel")}</ButtonLink>
          </div>
        </form>
      )}
    </Page>
  );
}

function Progress({ run, slug, onAgain }: { run: ImportRun; slug: string; onAgain: () => void }) {
  const { t } = useTranslation("items");
  const format = useFormat();
  const state = useStore(run);
  // Leaving while batches are unsent warns; what was answered stays made.
  const [leaving] = useState(() => ({
    unsent: () => (["running", "resting"].includes(run.snapshot().state) ? run.snapshot().total - run.snapshot().answered : 0),
    flush: () => undefined,
  }));
  useFlushOnLeaving(leaving);
  const isOver = state.state === "done" || state.state === "stopped";
  return (
    <div className="card form" data-testid="import-progress" data-state={state.state}>
      <p className="big number">
        {format.number(state.answered)} <span className={`dim ${styles.importOf}`}>/ {format.number(state.total)}</span>
      </p>
      <Meter value={state.answered} of={state.total} label={t("import.progress")} />
      <dl className="facts">
        <dt>{t("import.made")}</dt>
        <dd className="number" data-testid="import-created">
          {format.number(state.made)}
        </dd>
        <dt>{t("import.existing")}</dt>
        <dd className="number">{format.number(state.existing)}</dd>
        <dt>{t("import.refused")}</dt>
        <dd className="number" data-testid="import-refused">
          {format.number(state.refused)}
        </dd>
      </dl>
      {state.error && <Problem error={state.error} />}
      <ImportResult state={state} />
      <div className="row-actions">
        {state.state === "resting" && (
          <Button look="primary" onClick={() => void run.run()}>
            {t("import.continue")}
          </Button>
        )}
        {!isOver && <Button onClick={() => run.stop()}>{t("import.stop")}</Button>}
        {isOver && (
          <>
            {state.refused > 0 || state.state === "stopped" ? (
              <Button look="primary" onClick={onAgain}>
                {t("import.fix")}
              </Button>
            ) : (
              <ButtonLink look="primary" to={`/b/${slug}/packages?build=1`}>
                {t("import.build")}
              </ButtonLink>
            )}
            <ButtonLink to={`/b/${slug}/items`}>{t("import.see")}</ButtonLink>
          </>
        )}
      </div>
    </div>
  );
}

/** What happened, and each refused row by its line. */
function ImportResult({ state }: { state: ImportState }) {
  const { t } = useTranslation("items");
  const format = useFormat();
  const params = (values: Readonly<Record<string, unknown>>) => values as Record<string, string | number>;
  if (state.state === "done" && state.refused === 0) return <Notice tone="good">{t("import.done")}</Notice>;
  if (state.refused === 0) return null;
  return (
    <Notice tone="warn">
      <p>{t("import.batch", { size: format.number(BATCH) })}</p>
      <ul data-testid="import-reports">
        {state.reports.slice(0, LISTED).map((report) => (
          <li key={report.line}>
            {t("import.line", { line: format.number(report.line) })}<Gap /><b>{report.image}</b>{" "}
            {t([`items:import.fault.${report.code}`, `errors:${report.code}`, "items:import.fault.other"], {
              ...params(report.params),
              code: report.code,
            })}
          </li>
        ))}
      </ul>
      {state.reports.length > LISTED && <p>{t("import.more", { count: state.reports.length - LISTED })}</p>}
    </Notice>
  );
}
