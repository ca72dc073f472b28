/** A list of categories as a table to type, paste or load from a file, checked while it is written. */
import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { CategoryListCheck, CategoryListFault } from "@/api/types";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { Button } from "@/ui/Button";
import { ChooseFile } from "@/ui/ChooseFile";
import { isFound } from "@/ui/found";
import { Gap } from "@/ui/Gap";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { SearchField } from "@/ui/SearchField";
import { WideTable } from "@/ui/WideTable";
import { placeText } from "../faults";
import { byCell, COLUMNS, EXAMPLES, filled, GROUPS, isEmpty, MAIN_COLUMNS, pasted, rowOf, searchOf, textOf, withGroups, type Row } from "./table";
import styles from "./lists.module.css";

const MOST_SHOWN = 20;
const FIRST_COLUMN = COLUMNS[0] ?? "";

interface Checked {
  answer: CategoryListCheck | null;
  isCurrent: boolean;
  error: ApiError | null;
}

/** The columns' names in the reader's language. */
export function useColumnName(): (column: string) => string {
  const { t } = useTranslation("benchmarks");
  return (column) => {
    // A YAML file has places instead of columns.
    if (column.includes(".")) return placeText(t, column, { isList: true });
    const [text = "", language] = column.split(/_(?=zh-|en$)/);
    const known = LANGUAGES.find((one) => one === language);
    return t([`lists.column.${text}`, "lists.fault.other"], { language: known === undefined ? "" : LANGUAGE_NAMES[known], message: column });
  };
}

/** A cell of the table; rows from 0. */
interface Place {
  row: number;
  column: string;
}

interface ListTableProps {
  rows: readonly Row[];
  onRows: (rows: Row[]) => void;
  checked: Checked;
  /** Whether someone tried to save it. */
  saves: boolean;
}

export function ListTable({ rows, onRows, checked, saves }: ListTableProps) {
  const { t } = useTranslation("benchmarks");
  const columnName = useColumnName();
  const [showsMore, setShowsMore] = useState(false);
  const [search, setSearch] = useState("");
  const [wanted, setWanted] = useState<Place | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (wanted) body.current?.querySelector<HTMLElement>(`[data-testid="cell-${String(wanted.row)}-${wanted.column}"]`)?.focus();
  }, [wanted]);
  const shown: readonly Row[] = [...rows, {}];
  const isBlank = filled(rows).length === 0;
  // An empty table is no error before someone wants to save it.
  const faults = checked.isCurrent && (saves || !isBlank) ? (checked.answer?.faults ?? []) : [];
  // A cell to be corrected is never in a hidden column.
  const isHiddenWrong = faults.some(({ column }) => COLUMNS.some((one) => one === column) && !MAIN_COLUMNS.some((one) => one === column));
  const columns = showsMore || isHiddenWrong ? COLUMNS : MAIN_COLUMNS;
  const wrong = byCell(rows, faults);
  const places = new Map(rows.flatMap((row, place) => (isEmpty(row) ? [] : [place])).map((place, n) => [place, n]));
  const computed = (place: number) => (checked.isCurrent ? checked.answer?.rows[places.get(place) ?? -1] : undefined);
  // While a search hides rows, the empty one at the end stays for typing.
  const isShown = (row: Row, place: number) => isEmpty(row) || isFound(searchOf(row, computed(place)), search);

  const change = (row: number, column: string, cell: string) => {
    const next = [...shown];
    next[row] = { ...next[row], [column]: cell };
    onRows(row === rows.length ? next : next.slice(0, rows.length));
  };
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const next = pasted(rows, columns, { row, column }, event.clipboardData.getData("text/plain"));
    if (next === null) return;
    event.preventDefault();
    onRows(next);
  };
  const focus = (row: number, column: number) => body.current?.querySelector<HTMLElement>(`[data-cell="${String(row)} ${String(column)}"]`)?.focus();
  const onKeyDown = (event: KeyboardEvent, row: number, column: number) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" || (event.key === "ArrowDown" && event.currentTarget.tagName === "INPUT")) focus(row + 1, event.key === "Enter" ? 0 : column);
    else if (event.key === "ArrowUp" && event.currentTarget.tagName === "INPUT") focus(row - 1, column);
    else return;
    event.preventDefault();
  };

  const open = (place: Place) => {
    setSearch("");
    if (!MAIN_COLUMNS.includes(place.column)) setShowsMore(true);
    setWanted(place);
  };

  return (
    <div className={`${styles.editor} ${styles.wide}`}>
      <ListFile onRows={onRows} />
      <p className="hint">{t("lists.traditionalHint")}</p>
      <SearchField label={t("lists.search")} placeholder={t("lists.searchHint")} value={search} onSearch={setSearch} testId="table-search" />
      <WideTable label={t("lists.table")}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t("lists.row")}</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {columnName(column)}
                </th>
              ))}
              <th />
            </tr>
          </thead>
          <tbody ref={body}>
            {shown.map((row, n) => (
              <tr key={n} hidden={!isShown(row, n)}>
                <th scope="row" className="dim">
                  {n + 1}
                </th>
                {columns.map((column, m) => (
                  <td key={column}>
                    <Cell
                      row={n}
                      place={m}
                      column={column}
                      value={row[column] ?? ""}
                      isWrong={wrong.has(`${String(n)} ${column}`)}
                      onValue={(value) => change(n, column, value)}
                      onPaste={(event) => paste(event, n, m)}
                      onKeyDown={(event) => onKeyDown(event, n, m)}
                    />
                  </td>
                ))}
                <td>
                  {n < rows.length && (
                    <Button small aria-label={t("lists.removeRow", { row: n + 1 })} onClick={() => onRows(rows.filter((_, other) => other !== n))}>
                      ×
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <label>
        <input type="checkbox" checked={showsMore} onChange={(event) => setShowsMore(event.target.checked)} data-testid="more-columns" /> {t("lists.more")}
      </label>
      <div className="row-actions">
        <Button disabled={!checked.isCurrent || isBlank} onClick={() => onRows(withGroups(rows, checked.answer?.rows ?? []))} data-testid="fill-groups">
          {t("lists.fillGroups")}
        </Button>
        <span className="tiny">{t("lists.fillGroupsHint")}</span>
      </div>
      {checked.error && <Problem error={checked.error} />}
      <p role="status" className={faults.length > 0 ? "wrong" : "dim"} data-testid="list-state">
        {checked.isCurrent
          ? faults.length > 0
            ? t("lists.faults", { count: checked.answer?.fault_count ?? 0 })
            : !isBlank && t("lists.noFaults")
          : t("lists.checking")}
      </p>
      <Faults faults={faults} rows={rows} onOpen={open} />
      <p className="dim">{t("lists.size", { count: filled(rows).length })}</p>
    </div>
  );
}

interface CellProps {
  row: number;
  place: number;
  column: string;
  value: string;
  isWrong: boolean;
  onValue: (value: string) => void;
  onPaste: (event: ClipboardEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Cell({ row, place, column, value, isWrong, onValue, onPaste, onKeyDown }: CellProps) {
  const { t } = useTranslation("benchmarks");
  const columnName = useColumnName();
  const props = {
    "aria-label": t("lists.cell", { column: columnName(column), row: row + 1 }),
    "aria-invalid": isWrong || undefined,
    "data-cell": `${String(row)} ${String(place)}`,
    "data-testid": `cell-${String(row)}-${column}`,
    className: "input",
    value,
    onKeyDown,
  };
  if (column !== "group") {
    const lang = LANGUAGES.find((language) => column.endsWith(`_${language}`));
    return <input {...props} lang={lang} onChange={(event) => onValue(event.target.value)} onPaste={onPaste} />;
  }
  return (
    <select {...props} onChange={(event) => onValue(event.target.value)}>
      {GROUPS.map((group) => (
        <option key={group} value={group}>
          {t(`lists.group.${group === "" ? "none" : group}`)}
        </option>
      ))}
    </select>
  );
}

function Faults({ faults, rows, onOpen }: { faults: readonly CategoryListFault[]; rows: readonly Row[]; onOpen: (place: Place) => void }) {
  const { t } = useTranslation("benchmarks");
  const columnName = useColumnName();
  if (faults.length === 0) return null;
  const text = (fault: CategoryListFault) =>
    t([`lists.fault.${fault.code}`, "lists.fault.other"], {
      ...fault.params,
      message: fault.message,
      ...(typeof fault.params.first === "number" ? { row: rowOf(rows, fault.params.first) } : {}),
    });
  const whole = (fault: CategoryListFault) => {
    if (fault.line === 1 && fault.column === "") return text(fault);
    const row = rowOf(rows, fault.line);
    return fault.column === "" ? t("lists.faultInRow", { row, text: text(fault) }) : t("lists.faultAt", { row, column: columnName(fault.column), text: text(fault) });
  };
  return (
    <ul className={styles.faults} data-testid="list-faults">
      {faults.slice(0, MOST_SHOWN).map((fault, n) => (
        <li key={n}>
          <button
            type="button"
            data-leads-to-error=""
            onClick={() => onOpen({ row: Math.max(0, rowOf(rows, fault.line) - 1), column: COLUMNS.find((column) => column === fault.column) ?? FIRST_COLUMN })}
          >
            {whole(fault)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The fault of a file that is no text; nothing is sent. */
const NO_TEXT: { rows: Row[]; faults: CategoryListFault[] } = { rows: [], faults: [{ line: 0, column: "", code: "not_text", params: {}, message: "" }] };

/** Loads a file into the table; its faults have the file's lines. */
function ListFile({ onRows }: { onRows: (rows: Row[]) => void }) {
  const { t } = useTranslation("benchmarks");
  const columnName = useColumnName();
  const [file, setFile] = useState<File | null>(null);
  const [faults, setFaults] = useState<readonly CategoryListFault[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const title = useId();
  const newest = useRef<File | null>(null);
  const load = (chosen: File) => {
    newest.current = chosen;
    setFile(chosen);
    setError(null);
    setFaults([]);
    const isNewest = () => newest.current === chosen;
    void chosen
      .arrayBuffer()
      .then((bytes) => textOf(bytes))
      // A picture, say: no text has a NUL.
      .then((text) => (text.includes("\0") ? NO_TEXT : call("category_list_check", { body: { text, form: /\.ya?ml$/i.test(chosen.name) ? "yaml" : "csv" } })))
      .then(
        (answer) => {
          if (!isNewest()) return;
          setFaults(answer.rows.length > 0 ? [] : answer.faults);
          if (answer.rows.length > 0) onRows(answer.rows);
        },
        (failed: unknown) => {
          if (isNewest()) setError(toApiError(failed));
        },
      );
  };
  return (
    <section aria-labelledby={title}>
      <span id={title} className="visually-hidden">
        {t("lists.file")}
      </span>
      <ChooseFile file={file} onFile={load} label={t("lists.file")} ask={t("lists.file")} formats={t("lists.fileHint")} choose={t("lists.choose")} accept=".csv,.tsv,.yaml,.yml,text/csv,text/yaml" testId="list" />
      {error && <Problem error={error} />}
      <p className="hint">
        {t("lists.examples")}
        <Gap />
        {(["csv", "yaml"] as const).map((form) => (
          <a key={form} className={styles.example} href={`data:text/${form};charset=utf-8,${encodeURIComponent(`\ufeff${EXAMPLES[form]}`)}`} download={`categories.${form}`} data-testid={`example-${form}`}>
            {form.toUpperCase()}
          </a>
        ))}
      </p>
      {file && faults.length > 0 && <Notice tone="bad">{t("lists.notLoaded", { name: file.name })}</Notice>}
      {faults.length > 0 && (
        <ul className="wrong" data-testid="file-faults">
          {faults.slice(0, MOST_SHOWN).map((fault, n) => (
            <li key={n}>
              {t(fault.line === 0 ? "lists.faultFile" : fault.column === "" ? "lists.faultRow" : "lists.faultLine", {
                line: fault.line,
                column: fault.column === "" ? "" : columnName(fault.column),
                text: t([`lists.fault.${fault.code}`, `fault.${fault.code}`, "lists.fault.other"], { ...fault.params, message: fault.message }),
              })}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
