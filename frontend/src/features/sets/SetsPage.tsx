/** What systems are asked: sets of accepted work, of releases, and of other benchmarks' files, and a form that makes one. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { ItemSet, ItemSets } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { useFilters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { NewSet } from "./NewSet";
import { SetName } from "@/run/SetName";
import { isReading, SetState } from "./SetState";
import styles from "./sets.module.css";

/** Milliseconds between two polls while files are read. */
const POLL = 2_000;

export function SetsPage() {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const filters = useFilters();
  const isAdding = filters.get("new") !== undefined;
  const page = useRead(
    "set_list",
    { path: { b: slug } },
    { refetchInterval: (answer) => ((answer as ItemSets | undefined)?.sets.some(isReading) === true ? POLL : false) },
  );
  const mayCreate = page.data?.available_actions.includes("set_create") === true;
  const add = mayCreate && !isAdding && (
    <Button look="primary" onClick={() => filters.set({ new: 1 })} data-testid="new-set">
      {t("new.open")}
    </Button>
  );
  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        <>
          <ButtonLink to={`/b/${slug}/runs`}>{t("toRuns")}</ButtonLink>
          {(page.data?.sets.length ?? 0) > 0 && add}
        </>
      }
    >
      <Loaded of={page}>
        {(of) => (
          <>
            {isAdding && mayCreate && <NewSet slug={slug} suites={of.suites} limit={of.limit_bytes} onClose={() => filters.set({ new: undefined })} />}
            {of.sets.length === 0 ? (
              !isAdding && (
                <Empty title={t("empty.title")} actions={add || undefined}>
                  {t("empty.text")}
                </Empty>
              )
            ) : (
              <Table rows={of.sets} slug={slug} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Table({ rows, slug }: { rows: readonly ItemSet[]; slug: string }) {
  const { t } = useTranslation("sets");
  const format = useFormat();
  return (
    <WideTable label={t("title")}>
      <table className="table" data-testid="sets">
        <TableHead
          columns={[t("column.name"), t("column.state"), { number: t("column.entries") }, { number: t("column.pictures") }, t("column.by"), t("column.when")]}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-testid={`set-${row.id}`} data-state={row.state}>
              <td>
                <Link to={`/b/${slug}/sets/${row.id}`} className={styles.name}>
                  <SetName of={row} />
                </Link>
                <span className={`dim ${styles.what}`}>{t(`runs:suite.${row.suite}`)}</span>
              </td>
              <td>
                <SetState row={row} />
              </td>
              <td className="number">{row.state === "ready" ? format.number(row.size) : <span className="faint">–</span>}</td>
              <td className="number">{format.number(row.pictures)}</td>
              <td>{row.created_by?.name ?? t(`origin.${row.origin}`)}</td>
              <td className="dim">
                <Time at={row.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
