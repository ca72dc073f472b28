/** Runs over accepted items and over releases, and links to the leaderboards. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Run } from "@/api/types";
import { RunCards } from "@/run/RunCard";
import { useSetName } from "@/run/SetName";
import { GROUP_NAMES, isIn, pollAfter, type Group } from "@/run/states";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { useFilters, type Filters } from "@/ui/useFilters";
import { runsActions } from "./actions";
import { StartRun } from "./StartRun";
import styles from "./runs.module.css";

export function RunsPage() {
  const { t } = useTranslation("runs");
  const slug = useSlug();
  const may = useMay(slug);
  const filters = useFilters();
  const group = filters.oneOf("state", GROUP_NAMES);
  const release = filters.number("release");
  const set = filters.number("set");
  const starting = filters.get("start") !== undefined && may("run_start");
  const runs = useRead(
    "run_list",
    { path: { b: slug }, query: { release, item_set: set } },
    { refetchInterval: (answer) => pollAfter((answer as Run[] | undefined) ?? []) },
  );
  const start = may("run_start") ? () => filters.set({ start: 1 }) : null;
  useActions(runsActions, { start });
  const begin = start !== null && !starting && (
    <Button look="primary" keys="n" onClick={start} data-testid="start-run">
      {t("action.start")}
    </Button>
  );
  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        <>
          {may("spending_show") && (
            <ButtonLink to={`/b/${slug}/spending`} data-testid="to-spending">
              {t("calls:title")}
            </ButtonLink>
          )}
          {may("system_list") && (
            <ButtonLink to="/systems" data-testid="to-systems">
              {t("systems")}
            </ButtonLink>
          )}
          {may("set_list") && (
            <ButtonLink to={`/b/${slug}/sets`} data-testid="to-sets">
              {t("sets")}
            </ButtonLink>
          )}
          {may("prompt_list") && (
            <ButtonLink to={`/b/${slug}/prompts`} data-testid="to-prompts">
              {t("prompts")}
            </ButtonLink>
          )}
          {begin}
        </>
      }
    >
      {starting && <StartRun slug={slug} release={release} onClose={() => filters.set({ start: undefined })} />}
      <Loaded of={runs}>
        {(rows) =>
          rows.length === 0 && release === undefined && set === undefined ? (
            !starting && (
              <Empty title={t("empty.title")} actions={begin || undefined}>
                {t("empty.text")}
              </Empty>
            )
          ) : (
            <>
              <RunFilters rows={rows} group={group} release={release} set={set} onChange={filters.set} />
              <Runs rows={rows.filter((run) => isIn(run, group))} slug={slug} />
            </>
          )
        }
      </Loaded>
      {may("leaderboard_show") && may("release_list") && <Leaderboards slug={slug} />}
    </Page>
  );
}

interface RunFiltersProps {
  rows: readonly Run[];
  group: Group | undefined;
  release: number | undefined;
  set: number | undefined;
  onChange: Filters["set"];
}

function RunFilters({ rows, group, release, set, onChange }: RunFiltersProps) {
  const { t } = useTranslation("runs");
  const setName = useSetName();
  const isOne = release !== undefined || set !== undefined;
  const ofSet = rows[0] === undefined ? t("filter.oneSet") : setName(rows[0].set);
  const label = set === undefined ? (rows.find((run) => run.release?.id === release)?.release?.label ?? t("filter.oneRelease")) : ofSet;
  const count = (one: Group) => rows.filter((run) => isIn(run, one)).length;
  const groups = GROUP_NAMES.filter((one) => one === group || count(one) > 0);
  if (groups.length < 2 && !isOne) return null;
  return (
    <ChoiceChips<Group | undefined>
      className={styles.runsFilters}
      label={t("filter.title")}
      value={group}
      onChoose={(one) => onChange({ state: one })}
      choices={[
        { value: undefined, text: t("filter.all"), count: rows.length },
        ...groups.map((one) => ({ value: one, text: t(`filter.${one}`), count: count(one), testId: `filter-${one}` })),
      ]}
    >
      {isOne && (
        <Button look="plain" small onClick={() => onChange({ release: undefined, set: undefined })} data-testid="filter-no-release">
          {t("filter.notOnly", { label })}
        </Button>
      )}
    </ChoiceChips>
  );
}

function Runs({ rows, slug }: { rows: readonly Run[]; slug: string }) {
  const { t } = useTranslation("runs");
  const parts = [
    { name: "rolling", rows: rows.filter(({ set }) => set.origin === "rolling") },
    { name: "releases", rows: rows.filter(({ set }) => set.origin === "release") },
    { name: "sets", rows: rows.filter(({ set }) => set.origin === "file") },
  ] as const;
  if (rows.length === 0) return <p className="dim">{t("filter.nothing")}</p>;
  return (
    <div data-testid="runs">
      {parts
        .filter((part) => part.rows.length > 0)
        .map((part) => (
          <section key={part.name} aria-labelledby={`runs-${part.name}`} className={styles.runsPart}>
            <h2 id={`runs-${part.name}`}>{t(`part.${part.name}`)}</h2>
            <p className="dim">{t(`partText.${part.name}`)}</p>
            <RunCards rows={part.rows} slug={slug} />
          </section>
        ))}
    </div>
  );
}

/** The releases that are scored or could be, each with its leaderboard. */
function Leaderboards({ slug }: { slug: string }) {
  const { t } = useTranslation("runs");
  const list = useList("release_list", { path: { b: slug } });
  const frozen = list.rows.filter((release) => release.frozen_at !== null && release.state !== "withdrawn");
  return (
    <section aria-labelledby="leaderboards" className={`${styles.runsPart} ${styles.leaderboards}`}>
      <h2 id="leaderboards">{t("leaderboards")}</h2>
      {list.data && frozen.length === 0 ? (
        <p className="dim">{t("noReleases")}</p>
      ) : (
        <ul>
          {frozen.map((release) => (
            <li key={release.id}>
              <Link to={`/b/${slug}/releases/${release.id}/leaderboard`} data-testid={`leaderboard-${release.label}`}>
                {release.label}
              </Link>{" "}
              <span className="dim">
                {t("releaseSize", { images: release.images, items: release.items })} ·{" "}
                {release.frozen_at !== null && <Time at={release.frozen_at} />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
