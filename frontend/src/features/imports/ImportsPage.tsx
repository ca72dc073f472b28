/** Imports of work that was done elsewhere: the form and the list of earlier ones. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Import } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { NewImport } from "./NewImport";
import { OUTCOMES, STATUS_TONES, statusOf } from "./outcomes";
import styles from "./imports.module.css";

export function ImportsPage() {
  const { t } = useTranslation("imports");
  const slug = useSlug();
  const may = useMay(slug);
  const list = useList("import_list", { path: { b: slug } });
  const maximumBytes = list.data?.pages[0]?.maximum_bytes;
  return (
    <Page title={t("title")} lead={t("lead")}>
      {may("import_create") && maximumBytes !== undefined && <NewImport slug={slug} maximumBytes={maximumBytes} />}
      <PagedList of={list} empty={<Empty title={t("empty.title")}>{t("empty.text")}</Empty>}>
        {(rows) => <Table rows={rows} slug={slug} />}
      </PagedList>
    </Page>
  );
}

function Table({ rows, slug }: { rows: readonly Import[]; slug: string }) {
  const { t } = useTranslation("imports");
  const format = useFormat();
  return (
    <WideTable label={t("list")}>
      <table className={`table ${styles.imports}`} data-testid="imports">
        <TableHead
          columns={[
            t("column.file"),
            t("column.state"),
            ...OUTCOMES.map((outcome) => ({ number: t(`outcome.${outcome}`) })),
            t("column.by"),
            t("column.when"),
          ]}
        />
        <tbody>
          {rows.map((row) => {
            const status = statusOf(row);
            return (
              <tr key={row.id} data-testid={`import-${row.id}`}>
                <td>
                  <Link to={`/b/${slug}/imports/${row.id}`} className={styles.importName}>
                    {row.name}
                  </Link>
                  <span className={`dim ${styles.importWhat}`}>
                    {t(`ui:kind.${row.kind}`)} · {t(`format.${row.format}`)} · {t(`target.${row.target}`)}
                  </span>
                </td>
                <td>
                  <Chip tone={STATUS_TONES[status]}>{t(`status.${status}`)}</Chip>
                </td>
                {OUTCOMES.map((outcome) => (
                  <td key={outcome} className="number">
                    {row.counts[outcome] === 0 ? <span className="faint">0</span> : format.number(row.counts[outcome])}
                  </td>
                ))}
                <td>{row.created_by.name}</td>
                <td className="dim">
                  <Time at={row.created_at} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </WideTable>
  );
}
