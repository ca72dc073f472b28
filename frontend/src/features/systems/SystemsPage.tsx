/** All systems: those that can run here, and those that are only listed. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useRead } from "@/api/queries";
import { useSession } from "@/api/session";
import type { System } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { useFilters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { systemsActions } from "./actions";
import { FetchProgress } from "./FetchProgress";
import { ServeForm } from "./ServeForm";
import { grouped, isKnownGroup, pollAfter, short, stateKey, STATES, TONES, type State } from "./states";
import styles from "./systems.module.css";

export function SystemsPage() {
  const { t } = useTranslation("systems");
  const filters = useFilters();
  const state = filters.oneOf("state", STATES);
  const systems = useRead("system_list", {}, { refetchInterval: (answer) => pollAfter((answer as System[] | undefined) ?? []) });
  const isOwner = useSession().data?.is_owner === true;
  const [adding, setAdding] = useState(false);
  const add = isOwner && !adding ? () => setAdding(true) : null;
  useActions(systemsActions, { add });
  const button = add !== null && (
    <Button keys="n" onClick={add} data-testid="serve">
      {t("serve.open")}
    </Button>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={button || undefined}>
      {adding && <ServeForm onClose={() => setAdding(false)} />}
      <Loaded of={systems}>
        {(rows) => (
          <>
            <StateFilter rows={rows} state={state} onState={(one) => filters.set({ state: one })} />
            {grouped(rows.filter((row) => state === undefined || row.state === state)).map(([group, members]) => (
              <Group key={group} group={group} rows={members} />
            ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function StateFilter({ rows, state, onState }: { rows: readonly System[]; state: State | undefined; onState: (state: State | undefined) => void }) {
  const { t } = useTranslation("systems");
  const count = (one: State) => rows.filter((row) => row.state === one).length;
  return (
    <ChoiceChips<State | undefined>
      className={styles.systemsFilters}
      label={t("filter")}
      value={state}
      onChoose={onState}
      choices={[
        { value: undefined, text: t("all"), count: rows.length },
        ...STATES.filter((one) => one === state || count(one) > 0).map((one) => ({ value: one, text: t(`state.${one}`), count: count(one), testId: `filter-${one}` })),
      ]}
    />
  );
}

function Group({ group, rows }: { group: string; rows: readonly System[] }) {
  const { t } = useTranslation("systems");
  const title = isKnownGroup(group) ? t(`group.${group}`) : group === "" ? t("group.other") : group;
  return (
    <section className={styles.systemsGroup}>
      <h2>{title}</h2>
      <WideTable label={title}>
        <table className={`table ${styles.systems}`}>
          <TableHead columns={[t("name"), t("organisation"), { number: t("size") }, t("can"), t("revision"), t("status")]} />
          <tbody>
            {rows.map((row) => (
              <Row key={row.slug} row={row} />
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}

/** States without a chip: most built-in records have them, and many chips would hide the exceptions. */
const IS_QUIET: readonly State[] = ["not_fetched", "no_backend"];

function Row({ row }: { row: System }) {
  const { t } = useTranslation("systems");
  const size = useSize();
  return (
    <tr data-testid={`system-${row.slug}`} data-state={row.state}>
      <th scope="row">
        <Link to={`/systems/${row.slug}`}>{row.name}</Link> {row.is_demo && <Chip tone="warn">{t("demo")}</Chip>}
        {row.access === "closed" && <Chip>{t("closed")}</Chip>}
      </th>
      <td>{row.organisation || <span className="faint">—</span>}</td>
      <td className="number">{size(row.size_millions)}</td>
      <td>{row.capabilities.map((one) => t(`capability.${one}`, { defaultValue: one })).join(t("comma"))}</td>
      <td className="mono">{row.revision === "" ? <span className="faint">—</span> : short(row.revision)}</td>
      <td>
        {IS_QUIET.includes(row.state) ? <span className="dim">{t(stateKey(row))}</span> : <Chip tone={TONES[row.state]}>{t(stateKey(row))}</Chip>}{" "}
        {row.runs_code && <Chip tone="warn">{t("runsCode")}</Chip>}
        {row.state === "fetching" && <FetchProgress system={row} />}
      </td>
    </tr>
  );
}

/** Parameters as people say them: millions, from a thousand millions on billions. */
export function useSize(): (millions: number | null) => string {
  const { t } = useTranslation("systems");
  const format = useFormat();
  return (millions) => {
    if (millions === null) return "—";
    if (millions >= 1000) return t("billions", { number: format.number(millions / 1000, millions % 1000 === 0 ? 0 : 1) });
    return t("millions", { number: format.number(millions, millions < 10 ? 1 : 0) });
  };
}
