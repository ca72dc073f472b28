/** The queries behind a figure, one by one: found or not, how far down, and what they ask. */
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/operations";
import { useList, useRead } from "@/api/queries";
import { useLocalised } from "@/i18n/localised";
import { contentLanguage } from "@/kinds/language";
import { Answered } from "@/ui/Answered";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { PickOne } from "@/ui/kit/PickOne";
import { ListFoot } from "@/ui/ListFoot";
import { Page } from "@/ui/Page";
import { WideTable } from "@/ui/WideTable";
import { type FromSamples } from "./address";
import { depthOf, scopeOf, SCOPES, type Leaderboard } from "./board";
import { Rank } from "./Rank";
import "./leaderboard.css";

type Sample = Answer<"sample_list">["results"][number];

const OUTCOMES = ["hit", "miss", "missing"] as const;
const ORDERS = ["ordinal", "rank", "-rank"] as const;

/** The depths that samples can be filtered by. */
function atOf(depth: number): 1 | 5 | 10 {
  return depth === 5 || depth === 10 ? depth : 1;
}

export function SamplesPage() {
  const { t } = useTranslation("leaderboard");
  const id = Number(useParams().releaseId);
  const slug = useSlug();
  const board = useRead("leaderboard_show", { path: { id } });
  return (
    <Page
      title={t("samples.title")}
      lead={
        <Link to={`/b/${slug}/releases/${id}/leaderboard`} data-testid="to-leaderboard">
          {t("samples.toBoard")}
        </Link>
      }
    >
      <Answered of={board}>
        {(data) =>
          data.systems.length === 0 ? (
            <Empty title={t("noSystems")}>{t("noSystemsText")}</Empty>
          ) : (
            <Samples board={data} release={id} slug={slug} />
          )
        }
      </Answered>
    </Page>
  );
}

function Samples({ board, release, slug }: { board: Leaderboard; release: number; slug: string }) {
  const { t } = useTranslation("leaderboard");
  const name = useLocalised();
  const benchmark = useBenchmark(slug).data;
  const [search, setSearch] = useSearchParams();
  const run = board.systems.find((system) => system.run === Number(search.get("run")))?.run ?? board.systems[0]?.run ?? 0;
  const scope = scopeOf(search.get("scope"));
  const depths = board.metrics.map(depthOf);
  const at = depths.find((depth) => depth === Number(search.get("at"))) ?? depths[0] ?? 1;
  const outcome = OUTCOMES.find((one) => one === search.get("outcome"));
  const category = search.get("category") ?? "";
  const distance = search.get("distance") ?? "";
  const order = ORDERS.find((one) => one === search.get("order")) ?? "ordinal";
  const list = useList("sample_list", {
    path: { id: release },
    query: {
      run,
      scope,
      at: atOf(at),
      outcome,
      category: category === "" ? undefined : category,
      distance: distance === "" ? undefined : distance,
      order,
    },
  });
  const distances = board.groups.filter((group) => group.group_by === "distance");
  const filter = (key: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(key);
    else next.set(key, value);
    setSearch(next, { replace: true });
  };
  // What a sample's page goes on through: the same filters.
  const filters = new URLSearchParams({ run: String(run), at: String(at) });
  for (const key of ["outcome", "category", "distance"]) {
    const value = search.get(key);
    if (value !== null) filters.set(key, value);
  }
  const isNarrowed = outcome !== undefined || category !== "" || distance !== "";
  return (
    <>
      <div className="board-switches">
        <div className="chips" role="group" aria-label={t("direction")}>
          {SCOPES.map((one) => (
            <button key={one} type="button" className="chip" aria-pressed={one === scope} onClick={() => filter("scope", one)} data-testid={`scope-${one}`}>
              {t(`scope.${one}`)}
            </button>
          ))}
        </div>
        <div className="chips" role="group" aria-label={t("samples.outcome")}>
          <button type="button" className="chip" aria-pressed={outcome === undefined} onClick={() => filter("outcome", "")}>
            {t("samples.all")}
          </button>
          {OUTCOMES.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={one === outcome}
              onClick={() => filter("outcome", one)}
              data-testid={`outcome-${one}`}
            >
              {t(`outcome.${one}`, { at })}
            </button>
          ))}
        </div>
        <div className="chips" role="group" aria-label={t("metric")}>
          {board.metrics.map((metric) => (
            <button
              key={metric}
              type="button"
              className="chip"
              aria-pressed={depthOf(metric) === at}
              onClick={() => filter("at", String(depthOf(metric)))}
              data-testid={`at-${depthOf(metric)}`}
            >
              {metric}
            </button>
          ))}
        </div>
      </div>
      <div className="filters">
        <SelectField label={t("system")} value={run} onChange={(event) => filter("run", event.target.value)} data-testid="sample-system">
          {board.systems.map((system) => (
            <option key={system.run} value={system.run}>
              {system.system.name}
            </option>
          ))}
        </SelectField>
        <div className="board-category">
          <PickOne
            label={t("groups.category")}
            value={category === "" ? null : category}
            placeholder={t("samples.anyCategory")}
            options={(benchmark?.categories ?? []).map((one) => ({
              value: one.slug,
              label: name(one.name),
              group: name(one.field.name),
              also: Object.values(one.name).join(" "),
            }))}
            onChange={(value) => filter("category", value ?? "")}
            testId="sample-category"
          />
        </div>
        {distances.length > 0 && (
          <SelectField label={t("groups.distance")} value={distance} onChange={(event) => filter("distance", event.target.value)}>
            <option value="">{t("samples.anyDistance")}</option>
            {distances.map((group) => (
              <option key={group.group} value={group.group}>
                {name(group.name)}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField label={t("samples.order")} value={order} onChange={(event) => filter("order", event.target.value)} data-testid="sample-order">
          {ORDERS.map((one) => (
            <option key={one} value={one}>
              {t(`order.${one === "-rank" ? "worst" : one}`)}
            </option>
          ))}
        </SelectField>
        {isNarrowed && (
          <Button look="plain" onClick={() => setSearch({ run: String(run), scope, at: String(at) })} data-testid="filter-none">
            {t("samples.noFilter")}
          </Button>
        )}
      </div>
      <Answered of={list}>
        {() =>
          list.rows.length === 0 ? (
            <Empty title={t("samples.none")}>{t(isNarrowed ? "samples.noneSo" : "samples.noneYet")}</Empty>
          ) : (
            <>
              <Rows
                rows={list.rows}
                address={(row) => `/b/${slug}/releases/${release}/samples/${row.scope}/${row.ordinal}?${filters.toString()}`}
                at={at}
                lang={contentLanguage(benchmark)}
                slug={slug}
                categoryName={(code) => name(benchmark?.categories.find((one) => one.slug === code)?.name) || code}
                // In the gallery's own order the server knows the neighbours, also those that are not fetched yet.
                from={order === "ordinal" ? null : { samples: list.rows.map(({ ordinal }) => ordinal), search: `?${search.toString()}` }}
              />
              <ListFoot list={list} />
            </>
          )
        }
      </Answered>
    </>
  );
}

function Rows({
  rows,
  address,
  at,
  lang,
  categoryName,
  from,
  slug,
}: {
  rows: readonly Sample[];
  address: (row: Sample) => string;
  at: number;
  lang: string;
  categoryName: (code: string) => string;
  from: FromSamples | null;
  slug: string;
}) {
  const { t } = useTranslation("leaderboard");
  return (
    <WideTable label={t("samples.title")}>
      <table className="table board-samples" data-testid="samples">
        <thead>
          <tr>
            <th scope="col">{t("samples.picture")}</th>
            <th scope="col" className="number">
              {t("samples.rank")}
            </th>
            <th scope="col">{t("samples.query")}</th>
            <th scope="col">{t("groups.category")}</th>
            <th scope="col">{t("samples.item")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const to = address(row);
            return (
              <tr key={row.ordinal} data-testid={`sample-${row.ordinal}`}>
                <td>
                  <Link to={to} state={from} aria-label={t("samples.open", { label: row.image.label })}>
                    <img src={row.image.thumb_url} alt="" width={56} height={42} loading="lazy" decoding="async" />
                  </Link>
                </td>
                <td className="number">
                  <Rank rank={row.rank} at={at} />
                </td>
                <td className="board-query">
                  <Link to={to} state={from}>
                    {row.text === null ? row.image.label : <span lang={lang}>{row.text}</span>}
                  </Link>
                </td>
                <td>{row.category === "" ? <span className="faint">—</span> : <Chip>{categoryName(row.category)}</Chip>}</td>
                <td>
                  <Link to={`/b/${slug}/items/${row.item.id}`}>{row.item.label}</Link>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </WideTable>
  );
}
