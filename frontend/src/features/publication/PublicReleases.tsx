/** The published releases: which of them the public pages show, downloads, files that withdrawals closed. */
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Publication } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Problem } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import styles from "./publication.module.css";

type Row = Publication["releases"][number];

export function PublicReleases({ rows, isOpen }: { rows: readonly Row[]; isOpen: boolean }) {
  const { t } = useTranslation("publication");
  return (
    <section className={styles.part} aria-labelledby="public-releases">
      <h2 id="public-releases">{t("releases.title")}</h2>
      {rows.length === 0 ? (
        <Empty title={t("releases.none")}>{t("releases.noneText")}</Empty>
      ) : (
        <WideTable label={t("releases.title")}>
          <table className="table">
            <TableHead columns={[t("releases:column.release"), t("releases:column.state"), t("releases.since"), { number: t("releases.downloads") }, ""]} />
            <tbody>
              {rows.map((row) => (
                <Line key={row.id} row={row} isOpen={isOpen} />
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </section>
  );
}

function Line({ row, isOpen }: { row: Row; isOpen: boolean }) {
  const { t } = useTranslation("publication");
  const format = useFormat();
  const open = useWrite("public_release_open");
  const close = useWrite("public_release_close");
  const [action] = row.available_actions;
  const write = action === "public_release_close" ? close : open;
  const state = row.state === "withdrawn" ? "withdrawn" : !row.is_public ? "hidden" : isOpen ? "public" : "ready";
  const error = open.error ?? close.error;
  return (
    <tr data-testid={`public-${row.label}`}>
      <td>{row.label}</td>
      <td>
        <Chip tone={state === "public" ? "good" : undefined}>{t(`releases.state.${state}`)}</Chip>
        {row.withdrawn_images > 0 && <p className="dim">{t("releases.withdrawnImages", { count: row.withdrawn_images })}</p>}
        {row.closed_files.length > 0 && <p className="dim">{t("releases.closedFiles", { count: row.closed_files.length })}</p>}
        {error && <Problem error={error} />}
      </td>
      <td className="dim">{row.is_public && row.opened_at !== null && <Time at={row.opened_at} />}</td>
      <td className="number">{format.number(row.downloads)}</td>
      <td>
        {action !== undefined && (
          <Button small busy={write.isPending} onClick={() => write.mutate({ path: { id: row.id } })} data-testid={`${action}-${row.label}`}>
            {t(action === "public_release_close" ? "releases.close" : "releases.open")}
          </Button>
        )}
      </td>
    </tr>
  );
}
