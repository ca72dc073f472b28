/** One system: its record, state, files and revisions. */
import { Fragment, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useRead } from "@/api/queries";
import { useSession } from "@/api/session";
import type { SystemDetail, SystemRevision } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { useErrorText } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { systemActions } from "./actions";
import { FetchForm } from "./FetchForm";
import { FetchProgress } from "./FetchProgress";
import { ServeForm } from "./ServeForm";
import { serverParametersIn } from "./serverParameters";
import { pollAfter, short, stateKey, TONES } from "./states";
import { useSize } from "./SystemsPage";
import styles from "./systems.module.css";

export function SystemPage() {
  const { t } = useTranslation("systems");
  const slug = useParams().slug ?? "";
  const isOwner = useSession().data?.is_owner === true;
  const [asking, setAsking] = useState(false);
  const read = useRead(
    "system_show",
    { path: { slug } },
    { refetchInterval: (answer) => pollAfter(answer === undefined ? [] : [answer as SystemDetail]) },
  );
  const system = read.data;
  const isServed = system !== undefined && system.server !== "";
  const canFetch = isOwner && !asking && system !== undefined && system.state !== "fetching" && (isServed || (system.backend !== "" && system.hub_id !== ""));
  const ask = canFetch ? () => setAsking(true) : null;
  useActions(systemActions, { fetch: ask });
  const button = ask !== null && (
    <Button look={system?.state === "ready" ? "plain" : "primary"} keys="f" onClick={ask} data-testid="fetch">
      {t(isServed ? "serve.again" : system?.state === "ready" ? "fetch.again" : "fetch.open")}
    </Button>
  );
  return (
    <Page title={system?.name ?? slug} lead={<Link to="/systems">{t("back")}</Link>} actions={button || undefined}>
      <Loaded of={read}>
        {(data) => (
          <>
            {asking &&
              (data.server === "" ? (
                <FetchForm system={data} onClose={() => setAsking(false)} />
              ) : (
                <ServeForm of={data} onClose={() => setAsking(false)} />
              ))}
            <Status system={data} isOwner={isOwner} />
            {data.server !== "" && <ServerDetails system={data} />}
            <Facts system={data} />
            <Files of={data} />
            <Revisions rows={data.revisions} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Status({ system, isOwner }: { system: SystemDetail; isOwner: boolean }) {
  const { t } = useTranslation("systems");
  const name = useLocalised();
  const errorText = useErrorText();
  const { job, state } = system;
  return (
    <section className={`card ${styles.systemStatus}`} aria-label={t("status")} data-testid="system-status" data-state={state}>
      <p>{name(system.description)}</p>
      <p className="chips">
        <Chip tone={TONES[state]}>{t(stateKey(system))}</Chip>
        {system.is_demo && <Chip tone="warn">{t("demo")}</Chip>}
        {system.runs_code && <Chip tone="warn">{t("runsCode")}</Chip>}
      </p>
      <p className="dim">{t(system.server !== "" ? `serve.explanation.${state}` : state === "not_fetched" && !isOwner ? "explanation.ownerOnly" : `explanation.${state}`)}</p>
      {state === "fetching" && <FetchProgress system={system} />}
      {job?.state === "failed" && (
        <Notice tone="bad">
          {state === "failed"
            ? errorText({ code: job.error_code ?? "unknown", params: job.error_params })
            : t(system.server === "" ? "fetch.failed" : "serve.failed", { reason: errorText({ code: job.error_code ?? "unknown", params: job.error_params }) })}
        </Notice>
      )}
    </section>
  );
}

/** A model on a server: its address, that pictures are sent there, and how it is called. */
function ServerDetails({ system }: { system: SystemDetail }) {
  const { t } = useTranslation("systems");
  const parameters = serverParametersIn(system.parameters);
  const facts: [string, ReactNode][] = [
    [t("serve.server"), system.server],
    [t("serve.model"), parameters.model],
    [t("serve.textTemplate"), <span className={`mono ${styles.servedTemplate}`}>{parameters.text_template}</span>],
    [t("serve.pictureText"), parameters.picture_text === "" ? "—" : <span className={`mono ${styles.servedTemplate}`}>{parameters.picture_text}</span>],
    [t("serve.normalise"), parameters.normalise ? "✓" : "—"],
    [t("serve.dimensions"), parameters.dimension ?? parameters.dimensions ?? "—"],
    [t("serve.dtype"), parameters.said.dtype ?? (parameters.dtype === "" ? "—" : parameters.dtype)],
    [t("serve.facts"), <span className="mono">{Object.entries(parameters.said).map(([name, value]) => `${name} ${value}`).join(" · ") || t("serve.noFacts")}</span>],
    [t("serve.digest"), system.files_sha256 === "" ? "—" : <span className={`mono ${styles.systemHash}`}>{system.files_sha256}</span>],
  ];
  return (
    <section className="card" aria-labelledby="served" data-testid="served">
      <h2 id="served">{t("serve.where")}</h2>
      <Notice tone="warn">{t("serve.dataSent", { server: system.server })}</Notice>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function Facts({ system }: { system: SystemDetail }) {
  const { t } = useTranslation("systems");
  const size = useSize();
  const link = (href: string, text: string) => (
    <a href={href} rel="noreferrer" target="_blank">
      {text}
    </a>
  );
  const facts: [string, ReactNode][] = [
    [t("organisation"), system.organisation],
    [t("access"), t(`accessOf.${system.access}`)],
    [t("architecture"), system.architecture],
    [t("size"), system.size_millions === null ? "" : size(system.size_millions)],
    [t("languages"), system.languages.map((tag) => t(`language.${tag}`, { defaultValue: tag })).join(t("comma"))],
    [t("can"), system.capabilities.map((one) => t(`capability.${one}`, { defaultValue: one })).join(t("comma"))],
    [t("licence"), system.licence],
    [t("backend"), system.backend === "" ? t("noBackend") : <span className="mono">{system.backend}</span>],
    [t("hub"), system.hub_id === "" ? "" : <span className="mono">{system.hub_id}</span>],
    [t("homepage"), system.homepage === "" ? "" : link(system.homepage, system.homepage)],
    [t("slug"), <span className="mono">{system.slug}</span>],
  ];
  return (
    <section className="card" aria-labelledby="facts">
      <h2 id="facts">{t("record")}</h2>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value === "" ? <span className="dim">{t("unknown")}</span> : value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function Files({ of }: { of: SystemRevision }) {
  const { t } = useTranslation("systems");
  const format = useFormat();
  if (of.files.length === 0) return null;
  return (
    <section className="card" aria-labelledby="files">
      <h2 id="files">{t("files", { revision: short(of.revision) })}</h2>
      <WideTable label={t("filesLabel")}>
        <table className="table" data-testid="system-files">
          <TableHead columns={[t("file"), { number: t("bytes") }, "SHA-256"]} />
          <tbody>
            {of.files.map((file) => (
              <tr key={file.name}>
                <th scope="row" className="mono">
                  {file.name}
                </th>
                <td className="number" title={format.number(file.bytes)}>
                  {format.bytes(file.bytes)}
                </td>
                <td className={`mono ${styles.systemHash}`}>{file.sha256}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}

function Revisions({ rows }: { rows: readonly SystemRevision[] }) {
  const { t } = useTranslation("systems");
  const format = useFormat();
  if (rows.length === 0) return null;
  return (
    <section className="card">
      <h2>{t("revisions")}</h2>
      <WideTable label={t("revisions")}>
        <table className="table">
          <TableHead columns={[t("revision"), t("added"), { number: t("runs") }, t("code")]} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row" className={`mono ${styles.systemHash}`}>
                  {row.revision}
                </th>
                <td>{row.created_at !== null && <Time at={row.created_at} />}</td>
                <td className="number">{format.number(row.runs)}</td>
                <td>{row.runs_code ? <Chip tone="warn">{t("runsCode")}</Chip> : t("noCode")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}
