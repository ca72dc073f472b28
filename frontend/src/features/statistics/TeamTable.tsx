/** Accepted items of teams by category, with the pictures they are on, beside the number the protocol asks for. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useBenchmark } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { useRead } from "@/api/queries";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { Meter } from "@/ui/Meter";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import styles from "./statistics.module.css";
import { columnsOf, summed } from "./teamCounts";

type Statistics = Answer<"team_statistics">;
type Counts = Pick<Statistics["teams"][number], "items" | "pictures">;

export function TeamTable({ slug, kind }: { slug: string; kind: string }) {
  const statistics = useRead("team_statistics", { path: { b: slug }, query: { kind } });
  return <Loaded of={statistics}>{(data) => data.teams.length > 0 && <Table data={data} slug={slug} />}</Loaded>;
}

function Table({ data: { kind, required, teams }, slug }: { data: Statistics; slug: string }) {
  const { t } = useTranslation("statistics");
  const name = useLocalised();
  const columns = columnsOf(useBenchmark(slug).data?.categories ?? [], teams);
  const hasPairs = teams.some(({ pair }) => pair !== null);
  const all = summed(teams);
  const label = t("teams.title", { kind: t(`ui:kind.${kind}`) });
  const id = `teams-${kind}`;
  return (
    <section className={styles.teams} aria-labelledby={id} data-testid={id}>
      <h2 id={id}>{label}</h2>
      <p className="dim">{t("teams.text")}</p>
      <WideTable label={label}>
        <table className="table">
          <TableHead
            columns={[
              t("column.team"),
              ...(hasPairs ? [t("column.country"), t("column.language")] : []),
              { number: t("column.accepted") },
              ...columns.map(({ slug: code, name: category }) => ({ number: name(category) || code || t("teams.noCategory") })),
            ]}
          />
          <tbody>
            {teams.map((row) => (
              <tr key={row.team.id} data-testid={`team-${row.team.id}`}>
                <th scope="row">
                  <Link to={`/b/${slug}/team?team=${row.team.id}&kind=${kind}`}>{row.team.name}</Link>
                </th>
                {hasPairs && (
                  <>
                    <td>{name(row.pair?.country)}</td>
                    <td>{name(row.pair?.language)}</td>
                  </>
                )}
                <td className="number">
                  <Numbers counts={row} required={required} />
                  {required > 0 && <Meter value={row.items} of={required} label={t("teams.progress", { team: row.team.name })} />}
                </td>
                <Categories columns={columns} counts={row.categories} />
              </tr>
            ))}
          </tbody>
          {teams.length > 1 && (
            <tfoot>
              <tr data-testid="all-teams">
                <th scope="row" colSpan={hasPairs ? 3 : 1}>
                  {t("teams.all")}
                </th>
                <td className="number">
                  <Numbers counts={all} />
                </td>
                <Categories columns={columns} counts={all.categories} />
              </tr>
            </tfoot>
          )}
        </table>
      </WideTable>
    </section>
  );
}

interface CategoriesProps {
  columns: readonly { slug: string }[];
  counts: Statistics["teams"][number]["categories"];
}

function Categories({ columns, counts }: CategoriesProps) {
  return columns.map(({ slug }) => (
    <td key={slug} className="number">
      <Numbers counts={counts.find(({ category }) => category === slug) ?? { items: 0, pictures: 0 }} />
    </td>
  ));
}

/** Items, of how many where that is known, and in brackets their pictures. */
function Numbers({ counts: { items, pictures }, required = 0 }: { counts: Counts; required?: number }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  const written = required > 0 ? t("teams.ofRequired", { items: format.number(items), required: format.number(required) }) : format.number(items);
  if (items === 0) return <span className="faint">{written}</span>;
  return (
    <>
      {written} <span className="tiny">{t("teams.pictures", { pictures: format.number(pictures) })}</span>
    </>
  );
}
