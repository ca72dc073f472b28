/** One version of a list of categories; those who may write its next version in a table. */
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { CategoryList } from "@/api/types";
import { Button, ButtonLink } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { isFound } from "@/ui/found";
import { useActions } from "@/ui/keys";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { SearchField } from "@/ui/SearchField";
import { toasts } from "@/ui/toasts";
import { useFocusOnWrong } from "@/ui/useFocusOnWrong";
import { WideTable } from "@/ui/WideTable";
import { listActions } from "./actions";
import { ListTable, useColumnName } from "./ListTable";
import { UseList } from "./UseList";
import { COLUMNS, filled, searchOf, toCsv, type Row } from "./table";
import { useListDraft } from "./listDraft";
import { useListCheck } from "./useListCheck";
import styles from "./lists.module.css";

export const isListName = (name: string) => /^[a-z][a-z0-9-]{0,47}$/.test(name);

export function NewListPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  return (
    <Page title={t("lists.new")} lead={t("lists.lead")} actions={<ButtonLink to={`/b/${slug}/protocol/lists`}>{t("lists.back")}</ButtonLink>}>
      <ListForm slug={slug} base={null} />
    </Page>
  );
}

export function ListPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const may = useMay(slug);
  const { name = "", version = "" } = useParams();
  const [edits, setEdits] = useState(false);
  const list = useRead("category_list_show", { path: { b: slug, name, version: Number(version) } });
  const row = list.data;
  const mayEdit = row?.origin === "file" && may("category_list_create") && !edits;
  const actions = (
    <>
      <ButtonLink to={`/b/${slug}/protocol/lists`}>{t("lists.back")}</ButtonLink>
      {row && <DownloadList list={row} />}
      {mayEdit && (
        <Button look="primary" onClick={() => setEdits(true)} data-testid="edit-list">
          {t("lists.edit")}
        </Button>
      )}
    </>
  );
  return (
    <Page title={t("lists.version", { name, version })} actions={actions}>
      {/* Not beside the title, which its forms leave no room for. */}
      {row && may("category_list_use") && (
        <div className={styles.use}>
          <UseList slug={slug} row={row} />
        </div>
      )}
      <Loaded of={list}>{(data) => (edits ? <ListForm slug={slug} base={data} /> : <ListRows list={data} />)}</Loaded>
    </Page>
  );
}

function DownloadList({ list }: { list: CategoryList }) {
  const { t } = useTranslation("benchmarks");
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${toCsv(list.rows)}\n`)}`;
  return (
    <a className="button" href={href} download={`${list.name}-${String(list.version)}.csv`}>
      {t("lists.download")}
    </a>
  );
}

function ListRows({ list }: { list: CategoryList }) {
  const { t } = useTranslation("benchmarks");
  const columnName = useColumnName();
  const [search, setSearch] = useState("");
  const columns = COLUMNS.filter((column) => list.rows.some((row) => (row[column] ?? "") !== ""));
  const rows = list.rows.filter((row) => isFound(searchOf(row, row), search));
  return (
    <>
      <SearchField label={t("lists.search")} placeholder={t("lists.searchHint")} value={search} onSearch={setSearch} testId="list-search" />
      <WideTable label={t("lists.table")}>
        <table className={`${styles.table} ${styles.read}`} data-testid="list-rows">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {columnName(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.slug}>
                {columns.map((column) => (
                  <td key={column}>{column === "group" ? <Group row={row} /> : row[column]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {rows.length === 0 && <p className="dim">{t("lists.nothingFound")}</p>}
    </>
  );
}

/** The group and, where it was corrected, what the programs found; the reason has a column of its own. */
function Group({ row }: { row: Row }) {
  const { t } = useTranslation("benchmarks");
  const group = row.group ?? "";
  const computed = row.computed_group ?? "";
  return (
    <>
      {t([`lists.group.${group}`, "lists.group.none"])}
      {group !== "" && computed !== "" && group !== computed && <p className="tiny">{t("lists.computed", { group: t(`lists.group.${computed}`) })}</p>}
    </>
  );
}

function ListForm({ slug, base }: { slug: string; base: CategoryList | null }) {
  const { t } = useTranslation("benchmarks");
  const navigate = useNavigate();
  const create = useWrite("category_list_create");
  const draft = useListDraft(slug, base);
  const { name, rows } = draft;
  const [attempts, setAttempts] = useState(0);
  const tried = attempts > 0;
  const form = useRef<HTMLDivElement>(null);
  useFocusOnWrong(form, attempts);
  const text = toCsv(rows);
  const checked = useListCheck(text);
  const isReady = isListName(name) && filled(rows).length > 0 && !checked.isFaulty;
  const save = () => {
    if (!isReady) setAttempts(attempts + 1);
    if (!isReady || create.isPending) return;
    create.mutate(
      { path: { b: slug }, body: { name, base_version: base?.version ?? 0, text, form: "csv" } },
      {
        onSuccess: (saved) => {
          draft.forget();
          toasts.show(t("lists.saved", { version: saved.version }));
          void navigate(`/b/${slug}/protocol/lists/${saved.name}/${String(saved.version)}`);
        },
        onError: () => setAttempts((last) => last + 1),
      },
    );
  };
  useActions(listActions, { canSave: isReady, save });
  return (
    <div className="form" ref={form}>
      {draft.isRestored && (
        <Notice
          action={
            <Button small onClick={draft.discard} data-testid="list-discard">
              {t("lists.discard")}
            </Button>
          }
        >
          {t("lists.restored")}
        </Notice>
      )}
      {base === null && (
        <TextField
          label={t("lists.name")}
          hint={t("lists.nameHint")}
          wrong={tried && !isListName(name) ? t("lists.nameWrong") : undefined}
          value={name}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => draft.change({ name: event.target.value })}
          data-testid="list-name"
        />
      )}
      <ListTable rows={rows} onRows={(next) => draft.change({ rows: next })} checked={checked} saves={tried} />
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" busy={create.isPending} onClick={save} data-testid="save-list">
          {t("lists.save", { version: (base?.version ?? 0) + 1 })}
        </Button>
      </div>
    </div>
  );
}
