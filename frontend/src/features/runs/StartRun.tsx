/** Starting a run: which system answers over which frozen release. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { inProtocol, useBenchmark } from "@/api/benchmark";
import { useList, useRead, useWrite } from "@/api/queries";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/Field";
import { Loading } from "@/ui/Loading";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { KIND_OF_SUITE } from "./suites";
import styles from "./runs.module.css";

/** The suites in the protocol. */
function suitesIn(content: unknown): string[] {
  const suites = inProtocol(content, "evaluation", "suites");
  return Array.isArray(suites) ? suites.filter((one): one is string => typeof one === "string") : [];
}

export function StartRun({ slug, release, onClose }: { slug: string; release: number | undefined; onClose: () => void }) {
  const { t } = useTranslation("runs");
  const systems = useRead("system_list", {});
  const releases = useList("release_list", { path: { b: slug } });
  const benchmark = useBenchmark(slug);
  return (
    <section className={`card ${styles.startRun}`} aria-labelledby="start-run" data-testid="start-panel">
      <h2 id="start-run">{t("start.title")}</h2>
      <p className="dim">{t("start.text")}</p>
      <Loaded of={systems}>
        {(all) =>
          releases.data === undefined || benchmark.data === undefined ? (
            <Loading />
          ) : (
            <Form
              slug={slug}
              systems={all}
              releases={releases.rows.filter((one) => one.state === "frozen" || one.state === "published")}
              suites={suitesIn(benchmark.data.protocol.content)}
              chosen={release}
              onClose={onClose}
            />
          )
        }
      </Loaded>
    </section>
  );
}

interface Choice {
  readonly slug: string;
  readonly name: string;
  readonly state: string;
  readonly is_demo: boolean;
  readonly server: string;
}

function Form({
  slug,
  systems,
  releases,
  suites,
  chosen,
  onClose,
}: {
  slug: string;
  systems: readonly Choice[];
  releases: readonly { id: number; label: string; images: number | null; kinds: readonly string[] }[];
  suites: readonly string[];
  chosen: number | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation("runs");
  const navigate = useNavigate();
  const ready = systems.filter((one) => one.state === "ready");
  const [system, setSystem] = useState(ready[0]?.slug ?? "");
  const suitesFor = (kinds: readonly string[]) => suites.filter((one) => kinds.includes(KIND_OF_SUITE[one] ?? ""));
  const runnable = releases.filter(({ kinds }) => suitesFor(kinds).length > 0);
  const [release, setRelease] = useState((runnable.find((one) => one.id === chosen) ?? runnable[0])?.id ?? 0);
  const offered = suitesFor(runnable.find((one) => one.id === release)?.kinds ?? []);
  const [preferred, setSuite] = useState("");
  const suite = offered.find((one) => one === preferred) ?? offered[0] ?? "";
  const start = useWrite("run_start");
  const picked = ready.find((one) => one.slug === system);
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    start.mutate(
      { path: { b: slug }, body: { system, suite, release } },
      {
        onSuccess: (run) => {
          toasts.show(t("start.done", { name: run.system.name }));
          void navigate(`/b/${slug}/runs/${run.id}`);
        },
      },
    );
  };
  if (releases.length === 0) return <Blocked text={t("start.noRelease")} to={`/b/${slug}/releases`} link={t("start.toReleases")} onClose={onClose} />;
  if (suites.length === 0) return <Blocked text={t("start.noSuite")} to={`/b/${slug}/protocol`} link={t("start.toProtocol")} onClose={onClose} />;
  const unsuited = releases.find(({ id }) => id === chosen && runnable.every((one) => one.id !== id)) ?? (runnable.length === 0 ? releases[0] : undefined);
  if (unsuited !== undefined)
    return <Blocked text={t("start.noSuiteForKind", { label: unsuited.label })} to={`/b/${slug}/releases/${unsuited.id}/submissions`} link={t("start.toSubmissions")} onClose={onClose} />;
  if (ready.length === 0) return <Blocked text={t("start.noSystem")} to="/systems" link={t("start.toSystems")} onClose={onClose} />;
  return (
    <form className="form" onSubmit={onSubmit}>
      <div className="form-row">
        <SelectField
          label={t("start.system")}
          value={system}
          onChange={(event) => setSystem(event.target.value)}
          hint={picked?.is_demo === true ? t("demoText") : undefined}
          data-testid="start-system"
        >
          {systems.map((one) => (
            <option key={one.slug} value={one.slug} disabled={one.state !== "ready"}>
              {one.state === "ready" ? one.name : t("start.notReady", { name: one.name })}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t("start.release")}
          value={release}
          onChange={(event) => setRelease(Number(event.target.value))}
          data-testid="start-release"
        >
          {runnable.map((one) => (
            <option key={one.id} value={one.id}>
              {t("start.ofImages", { label: one.label, images: one.images ?? 0 })}
            </option>
          ))}
        </SelectField>
        {offered.length > 1 && (
          <SelectField label={t("start.suite")} value={suite} onChange={(event) => setSuite(event.target.value)} data-testid="start-suite">
            {offered.map((one) => (
              <option key={one} value={one}>
                {t(`suite.${one}`, { defaultValue: one })}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {picked !== undefined && picked.server !== "" && (
        <Notice tone="warn">
          <span data-testid="start-sent">{t("start.dataSent", { server: picked.server })}</span>
        </Notice>
      )}
      {start.error && <Problem error={start.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={start.isPending} data-testid="start-confirm">
          {t("start.confirm")}
        </Button>
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
        <Link className={styles.startMore} to="/systems">
          {t("start.moreSystems")}
        </Link>
      </div>
    </form>
  );
}

/** What is missing before a run can be started, and where to get it. */
function Blocked({ text, to, link, onClose }: { text: string; to: string; link: string; onClose: () => void }) {
  const { t } = useTranslation("runs");
  return (
    <Notice
      tone="warn"
      action={
        <Button small onClick={onClose}>
          {t("ui:close")}
        </Button>
      }
    >
      {text} <Link to={to}>{link}</Link>
    </Notice>
  );
}
