/** Judgements and agreement per person and kind; annotators see only their own. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useReasonName, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { useKinds, useTrackKinds } from "@/kinds/useTrackKinds";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { useFilters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { Agreement } from "./Agreement";
import { Doubles } from "./Doubles";
import { Rate, scaleFrom } from "./Rate";
import { Rounds } from "./Rounds";
import styles from "./statistics.module.css";
import { TeamTable } from "./TeamTable";

type Quality = Answer<"quality_show">;
type Writer = Quality["people"][number];
type Judge = Quality["judges"][number];

/** What a judge of each stage is called where names are hidden. */
const PARTS: Readonly<Record<Judge["stage"], string>> = { review: "reviewer", inspection: "inspector", peer: "validator", spot_check: "inspector", panel: "judge", clicks: "clicker" };

export function StatisticsPage() {
  const { t } = useTranslation("statistics");
  const slug = useSlug();
  const may = useMay(slug);
  const filters = useFilters();
  const kind = filters.get("kind");
  const kinds = useKinds(slug);
  const teamKinds = useTrackKinds(slug, "peer").filter((one) => kind === undefined || one === kind);
  const quality = useRead("quality_show", { path: { b: slug }, query: { kind } });
  // People who may list all items see everyone's figures; others see their own.
  const isAll = may("item_list");
  return (
    <Page title={t(isAll ? "title" : "titleMine")} lead={t(isAll ? "lead" : "leadMine")}>
      {kinds.length > 1 && (
        <ChoiceChips<string | undefined>
          className={styles.statisticsKinds}
          label={t("kind")}
          value={kind}
          onChoose={(one) => filters.set({ kind: one })}
          choices={[
            { value: undefined, text: t("allKinds"), testId: "kind-all" },
            ...kinds.map((one) => ({ value: one, text: t(`ui:kind.${one}`), testId: `kind-${one}` })),
          ]}
        />
      )}
      {may("team_statistics") && teamKinds.map((one) => <TeamTable key={one} slug={slug} kind={one} />)}
      <Loaded of={quality}>{(data) => <Figures quality={data} slug={slug} isAll={isAll} />}</Loaded>
    </Page>
  );
}

function Figures({ quality, slug, isAll }: { quality: Quality; slug: string; isAll: boolean }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  const { people, judges, agreement, packages } = quality;
  if (people.length + judges.length + packages.length + quality.doubles.length === 0) {
    return <Empty title={t("empty.title")}>{t(isAll ? "empty.text" : "empty.mine")}</Empty>;
  }
  const isBlind = quality.blind && [...people, ...judges].some((row) => row.person === null);
  return (
    <div className={styles.statistics}>
      {isBlind && <Notice>{t("blind")}</Notice>}
      {quality.as_of !== null && (
        <p className="dim" data-testid="as-of">
          {t("asOf", { time: format.exact(quality.as_of) })}
        </p>
      )}
      {people.length > 0 && (
        <Part id="writers" title={t("writers.title")} text={t("writers.text")}>
          <Writers rows={people} slug={slug} />
        </Part>
      )}
      {judges.length > 0 && (
        <Part id="judges" title={t("judges.title")} text={t("judges.text")}>
          <Judges rows={judges} />
        </Part>
      )}
      {isAll && (
        <Part id="agreement" title={t("agreement.title")} text={t("agreement.text")}>
          {agreement.length === 0 ? <p className="dim">{t("agreement.none")}</p> : <Agreement rows={agreement} />}
        </Part>
      )}
      {isAll && quality.rounds.length > 0 && (
        <Part id="rounds" title={t("rounds.title")} text={t("rounds.text")}>
          <Rounds rows={quality.rounds} />
        </Part>
      )}
      {quality.doubles
        .filter((row) => isAll || row.people.length > 0)
        .map((row) => (
          <Part key={row.kind} id={`doubles-${row.kind}`} title={t("doubles.title", { kind: t(`ui:kind.${row.kind}`) })} text={t("doubles.text")}>
            <Doubles row={row} slug={slug} isAll={isAll} />
          </Part>
        ))}
      {packages.length > 0 && (
        <Part id="inspected" title={t("packages.title")} text={t("packages.text")}>
          <Packages rows={packages} slug={slug} />
        </Part>
      )}
    </div>
  );
}

function Part({ id, title, text, children }: { id: string; title: string; text: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} data-testid={`part-${id}`}>
      <h2 id={id}>{title}</h2>
      <p className="dim">{text}</p>
      {children}
    </section>
  );
}

/** A colleague's name, or their role where names are hidden; marks the reader's own rows. */
function PersonName({ row, part }: { row: Pick<Writer, "person" | "mine">; part: string }) {
  const { t } = useTranslation("statistics");
  return (
    <>
      {row.person?.name ?? part} {row.mine && <Chip tone="accent">{t("me")}</Chip>}
    </>
  );
}

function Writers({ rows, slug }: { rows: readonly Writer[]; slug: string }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  const may = useMay(slug);
  const reasonName = useReasonName(slug);
  const from = scaleFrom(rows);
  return (
    <WideTable label={t("writers.title")}>
      <table className="table" data-testid="writers">
        <TableHead
          columns={[
            t("column.person"),
            t("column.kind"),
            { number: t("column.written") },
            { number: t("column.judged") },
            t("column.first"),
            { number: t("column.median") },
            t("column.reasons"),
          ]}
        />
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${row.person?.id ?? `hidden-${index}`}-${row.kind}`}>
              <th scope="row">
                {row.person && may("package_list") ? (
                  <Link to={`/b/${slug}/packages?assignee=${row.person.id}&kind=${row.kind}`}>
                    <PersonName row={row} part={t("part.annotator")} />
                  </Link>
                ) : (
                  <PersonName row={row} part={t("part.annotator")} />
                )}
              </th>
              <td>{t(`ui:kind.${row.kind}`)}</td>
              <td className="number">
                {row.person && may("item_list") ? (
                  <Link to={`/b/${slug}/items?author=${row.person.id}&kind=${row.kind}`}>{format.number(row.written)}</Link>
                ) : (
                  format.number(row.written)
                )}
              </td>
              <td className="number">{t("ofJudged", { first: format.number(row.accepted_first), judged: format.number(row.judged) })}</td>
              <td>
                <Rate rate={row.rate} interval={row.interval} from={from} />
              </td>
              <td className="number">{row.median_active_ms === null ? <span className="faint">—</span> : format.duration(row.median_active_ms)}</td>
              <td>
                <span className="chips">
                  {row.returned_reasons.map((reason) => (
                    <Chip key={reason.code}>
                      {reasonName(reason.code)} <span className="number">{format.number(reason.n)}</span>
                    </Chip>
                  ))}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function Judges({ rows }: { rows: readonly Judge[] }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  const from = scaleFrom(rows);
  return (
    <WideTable label={t("judges.title")}>
      <table className="table" data-testid="judges">
        <TableHead
          columns={[
            t("column.person"),
            t("column.stage"),
            t("column.kind"),
            { number: t("column.verdicts") },
            t("column.outcomes"),
            { number: t("column.checked") },
            t("column.upheld"),
          ]}
        />
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${row.person?.id ?? `hidden-${index}`}-${row.kind}-${row.stage}`}>
              <th scope="row">
                <PersonName row={row} part={t(`part.${PARTS[row.stage]}`)} />
              </th>
              <td>{t(`stage.${row.stage}`)}</td>
              <td>{t(`ui:kind.${row.kind}`)}</td>
              <td className="number">{format.number(row.judged)}</td>
              <td>
                <span className="chips">
                  {row.outcomes.map(({ code, n }) => (
                    <Chip key={code}>
                      {t(`ui:outcome.${code}`)} <span className="number">{format.number(n)}</span>
                    </Chip>
                  ))}
                </span>
              </td>
              <td className="number">{t("ofJudged", { first: format.number(row.upheld), judged: format.number(row.checked) })}</td>
              <td>
                <Rate rate={row.rate} interval={row.interval} from={from} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function Packages({ rows, slug }: { rows: Quality["packages"]; slug: string }) {
  const { t } = useTranslation("statistics");
  const format = useFormat();
  return (
    <WideTable label={t("packages.title")}>
      <table className={`table ${styles.statisticsPackages}`} data-testid="inspected">
        <TableHead columns={[t("column.package"), { number: t("column.right") }, { number: t("column.share") }]} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Link to={`/b/${slug}/packages/${row.id}/inspection`}>{row.label}</Link>
              </td>
              <td className="number">{t("ofJudged", { first: format.number(row.right), judged: format.number(row.n) })}</td>
              <td className="number">{format.percent(row.rate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
