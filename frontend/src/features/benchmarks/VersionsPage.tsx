/** Every version of a benchmark's protocol: who adopted it and when, and two of them side by side. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useSession } from "@/api/session";
import type { ProtocolRow } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { SelectField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import styles from "./benchmarks.module.css";

export function useMayAdopt(slug: string): boolean {
  const benchmarks = useSession().data?.benchmarks ?? [];
  return benchmarks.some((one) => one.slug === slug && one.operations.includes("protocol_adopt"));
}

export function VersionsPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const versions = useRead("protocol_list", { path: { b: slug } });
  const mayAdopt = useMayAdopt(slug);
  const actions = (
    <>
      <ButtonLink to={`/b/${slug}/protocol`}>{t("versions.current")}</ButtonLink>
      {mayAdopt && (
        <ButtonLink to={`/b/${slug}/protocol/new`} look="primary" data-testid="adopt-link">
          {t("adopt.title")}
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page title={t("versions.title")} lead={t("versions.lead")} actions={actions}>
      <Loaded of={versions}>
        {(rows) => (
          <>
            {mayAdopt && <Proposals slug={slug} />}
            {rows.length > 1 && <CompareForm slug={slug} rows={rows} />}
            <ul className={styles.versions} data-testid="versions">
              {rows.map((row, i) => (
                <VersionRow key={row.version} slug={slug} row={row} earlier={rows[i + 1]} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Proposals({ slug }: { slug: string }) {
  const { t } = useTranslation("benchmarks");
  const proposals = useRead("protocol_proposal_list", { path: { b: slug } });
  if (proposals.data === undefined || proposals.data.length === 0) return null;
  return (
    <ul className={styles.versions} data-testid="proposals">
      {proposals.data.map((proposal) => (
        <li key={proposal.id} className="card">
          <div>
            <Link to={`/b/${slug}/protocol/proposals/${String(proposal.id)}`}>
              <b>{t("versions.number", { version: proposal.version })}</b>
            </Link>{" "}
            <Chip tone="warn">{t("proposal.state.open")}</Chip>
          </div>
          <p className="dim">
            {proposal.proposed_by.name} · <Time at={proposal.created_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function VersionRow({ slug, row, earlier }: { slug: string; row: ProtocolRow; earlier: ProtocolRow | undefined }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const base = `/b/${slug}/protocol`;
  return (
    <li className="card" data-testid={`version-${String(row.version)}`}>
      <div>
        <Link to={`${base}/versions/${String(row.version)}`}>
          <b>{t("versions.number", { version: row.version })}</b>
        </Link>{" "}
        {row.is_current && <Chip tone="good">{t("versions.inForce")}</Chip>}
        <p className="dim">{name(row.title) || row.name}</p>
      </div>
      <p className="dim">
        {row.created_by?.name ?? t("versions.noAuthor")} · <Time at={row.created_at} />
      </p>
      {earlier && (
        <ButtonLink small to={`${base}/compare?version=${String(row.version)}&with=${String(earlier.version)}`}>
          {t("versions.changes", { version: earlier.version })}
        </ButtonLink>
      )}
    </li>
  );
}

export function CompareForm({ slug, rows, older, newer }: { slug: string; rows: readonly ProtocolRow[]; older?: number; newer?: number }) {
  const { t } = useTranslation("benchmarks");
  const navigate = useNavigate();
  const [chosen, setChosen] = useState({ older: older ?? rows[1]?.version ?? 1, newer: newer ?? rows[0]?.version ?? 1 });
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    void navigate(`/b/${slug}/protocol/compare?version=${String(chosen.newer)}&with=${String(chosen.older)}`);
  };
  const options = rows.map((row) => (
    <option key={row.version} value={row.version}>
      {t("versions.number", { version: row.version })}
    </option>
  ));
  return (
    <form className={styles.compareForm} onSubmit={onSubmit}>
      <SelectField label={t("compare.older")} value={chosen.older} onChange={(event) => setChosen({ ...chosen, older: Number(event.target.value) })} data-testid="older">
        {options}
      </SelectField>
      <SelectField label={t("compare.newer")} value={chosen.newer} onChange={(event) => setChosen({ ...chosen, newer: Number(event.target.value) })} data-testid="newer">
        {options}
      </SelectField>
      <Button type="submit" data-testid="compare">
        {t("compare.go")}
      </Button>
    </form>
  );
}
