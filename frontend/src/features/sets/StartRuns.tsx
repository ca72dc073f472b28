/** Starts runs over an item set in a grid of settings: what is chosen, what it costs and takes, and the start itself. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { ItemSetDetail, RunPlan, System } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Problem, useErrorText } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { ableSystems, bodyOf, firstGrid, optionsOf, type Grid } from "./grid";
import { GridChoices } from "./GridChoices";
import { PlanTable } from "./PlanTable";
import styles from "./sets.module.css";

/** Milliseconds between two plans: workers begin and end without the person. */
const POLL = 10_000;
/** Reasons that are shown in place of the button. */
const MOST_REASONS = 3;

export function StartRuns({ set, onClose }: { set: ItemSetDetail; onClose: () => void }) {
  const { t } = useTranslation("sets");
  const systems = useRead("system_list", {});
  return (
    <section className={`card ${styles.new}`} aria-labelledby="start-runs-title" data-testid="start-set-panel">
      <h2 id="start-runs-title">{t("start.title")}</h2>
      <p className="dim">{t("start.text")}</p>
      <Loaded of={systems}>{(all) => <Form set={set} systems={ableSystems(set.asks, all)} onClose={onClose} />}</Loaded>
    </section>
  );
}

interface FormProps {
  set: ItemSetDetail;
  systems: readonly System[];
  onClose: () => void;
}

function Form({ set, systems, onClose }: FormProps) {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const navigate = useNavigate();
  const [grid, setGrid] = useState<Grid>(() => firstGrid(set, systems));
  const start = useWrite("set_run_start");
  const options = optionsOf(set, grid);
  const request = { path: { id: set.id }, body: bodyOf(grid, options) };
  const plan = useRead("set_run_plan", request, { enabled: grid.systems.length > 0, keepLast: true, refetchInterval: POLL });
  if (systems.length === 0) {
    return (
      <Notice tone="warn" action={<Button small onClick={onClose}>{t("ui:close")}</Button>}>
        {t("start.noSystem")}
        <Gap />
        <Link to="/systems">{t("start.toSystems")}</Link>
      </Notice>
    );
  }
  // The answer to an earlier choice is shown until the next is there, and starts nothing.
  const isCurrent = plan.data !== undefined && !plan.isPlaceholderData && plan.error === null;
  const change = (part: Partial<Grid>) => {
    start.reset();
    setGrid({ ...grid, ...part });
  };
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isCurrent || plan.data.starts === 0 || start.isPending) return;
    start.mutate(request, {
      onSuccess: ({ runs, created }) => {
        toasts.show(t("start.done", { count: created }));
        const [only] = runs;
        if (runs.length === 1 && only !== undefined) void navigate(`/b/${slug}/runs/${only.id}`);
        else onClose();
      },
    });
  };
  const servers = [...new Set(systems.filter((one) => grid.systems.includes(one.slug) && one.server !== "").map((one) => one.server))];
  return (
    <form className="form" onSubmit={onSubmit}>
      <GridChoices set={set} systems={systems} grid={grid} options={options} onChange={change} />
      {servers.map((server) => (
        <Notice key={server} tone="warn">
          {t("start.dataSent", { server })}
        </Notice>
      ))}
      {grid.systems.length === 0 && <p className="hint">{t("start.chooseSystem")}</p>}
      {plan.error !== null && grid.systems.length > 0 && <Problem error={plan.error} />}
      {grid.systems.length > 0 && plan.error === null && plan.data && <PlanTable plan={plan.data} />}
      {(grid.again || plan.data?.cells.some((cell) => cell.state === "closed") === true) && (
        <label className="check">
          <input type="checkbox" checked={grid.again} onChange={(event) => change({ again: event.target.checked })} data-testid="grid-again" /> {t("start.again")}
        </label>
      )}
      {start.error && <Problem error={start.error} />}
      {grid.systems.length > 0 && plan.error === null && plan.data && <Totals plan={plan.data} />}
      <div className="row-actions">
        {(plan.data === undefined || plan.data.starts > 0) && grid.systems.length > 0 && plan.error === null && (
          <Button type="submit" look="primary" busy={start.isPending || !isCurrent} data-testid="set-run-confirm">
            {t("start.confirm", { count: plan.data?.starts ?? 1 })}
          </Button>
        )}
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}

/** What a start does in all; where it does nothing, why. */
function Totals({ plan }: { plan: RunPlan }) {
  const { t } = useTranslation("sets");
  const format = useFormat();
  const errorText = useErrorText();
  const blocked = plan.cells.flatMap((cell) => (cell.reason === null ? [] : [errorText(cell.reason)]));
  if (plan.starts === 0) {
    const others = blocked.length > 0 && blocked.length < plan.cells.length ? [t("plan.othersThere")] : [];
    const reasons = [...[...new Set(blocked)].slice(0, MOST_REASONS), ...others];
    return (
      <Notice tone="warn">
        <span data-testid="grid-nothing">{reasons.length === 0 ? t("plan.allThere") : format.sentences(reasons)}</span>
      </Notice>
    );
  }
  const costs = plan.costs.map(({ cost, currency, left }) => t("plan.atMost", { cost, currency, left }));
  const parts = [
    t("plan.runs", { count: plan.starts }),
    t("plan.questions", { count: plan.questions, number: format.number(plan.questions) }),
    ...(costs.length > 0 ? costs : [t("plan.free")]),
    plan.seconds === null ? t("plan.timeUnknown") : t("plan.about", { time: format.duration(plan.seconds * 1000) }),
  ];
  return (
    <p className={`number ${styles.totals}`} role="status" data-testid="grid-totals">
      {parts.join(" · ")}
      {blocked.length > 0 && <span className="dim"> · {t("plan.blocked", { count: blocked.length })}</span>}
    </p>
  );
}
