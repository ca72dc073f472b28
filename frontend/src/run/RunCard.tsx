/** One run in a list: what it is over, how far it is, and what can be done with it. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMay } from "@/api/session";
import type { Run } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { Time } from "@/ui/Time";
import { Manner } from "./Manner";
import { RunButtons } from "./RunButtons";
import { RunProgress, RunState, RunTrouble } from "./RunProgress";
import { useSetName } from "./SetName";
import { useRunControls } from "./useRunControls";
import styles from "./run.module.css";

interface RunCardsProps {
  rows: readonly Run[];
  slug: string;
  /** Whether the page itself says which release or set they are over. */
  ofOne?: boolean;
}

export function RunCards({ rows, slug, ofOne = false }: RunCardsProps) {
  return (
    <ul className={styles.runs}>
      {rows.map((run) => (
        <RunCard key={run.id} run={run} slug={slug} ofOne={ofOne} />
      ))}
    </ul>
  );
}

function RunCard({ run, slug, ofOne }: { run: Run; slug: string; ofOne: boolean }) {
  const name = useLocalised();
  const may = useMay(slug);
  const { t } = useTranslation("runs");
  const controls = useRunControls(run);
  const described = name(run.system.description);
  const about = described === run.system.name ? "" : described;
  return (
    <li
      className={`card ${styles.run}`}
      data-testid={testId(run)}
      data-status={run.status}
      data-done={run.done}
      data-expected={run.expected}
    >
      <div className={styles.head}>
        <h3>
          {may("run_show") ? <Link to={`/b/${slug}/runs/${run.id}`}>{run.system.name}</Link> : run.system.name}
          {!ofOne && <Over run={run} slug={slug} />}
        </h3>
        <RunState run={run} />
      </div>
      <p className="tiny">
        <Manner of={run.manner} />
      </p>
      {(run.system.is_demo || about !== "") && (
        <p className={`dim ${styles.about}`}>
          {run.system.is_demo && <Chip tone="warn">{t("noBaseline")}</Chip>} {about}
        </p>
      )}
      <RunProgress run={run} />
      <RunTrouble run={run} />
      <div className={styles.foot}>
        <RunButtons controls={controls} failed={run.failed} small />
        <span className="tiny">
          <Time at={run.updated_at} />
        </span>
      </div>
    </li>
  );
}

function testId({ system, set, release }: Run): string {
  if (set.origin === "file") return `run-${system.slug}-set-${set.id}`;
  return `run-${system.slug}${release === null ? "" : `-${release.label}`}`;
}

/** What a run is over, beside the name of its system. */
function Over({ run, slug }: { run: Run; slug: string }) {
  const { t } = useTranslation("runs");
  const may = useMay(slug);
  const setName = useSetName();
  const text = t("over", { label: run.release?.label ?? setName(run.set) });
  return (
    <>
      {" "}
      <span className={styles.over}>{may("set_show") ? <Link to={`/b/${slug}/sets/${run.set.id}`}>{text}</Link> : text}</span>
    </>
  );
}
