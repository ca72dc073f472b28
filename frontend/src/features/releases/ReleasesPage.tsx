/** The benchmark's releases, newest first, each with its state and next step; creates drafts. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Release } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import { listActions } from "./actions";
import { nextOf, toneOf } from "./releaseSteps";
import { NewRelease } from "./NewRelease";
import styles from "./releases.module.css";

export function ReleasesPage() {
  const { t } = useTranslation("releases");
  const slug = useSlug();
  const may = useMay(slug);
  const [search] = useSearchParams();
  const [drafting, setDrafting] = useState(search.get("new") === "1");
  const list = useList("release_list", { path: { b: slug } });
  const canBegin = may("release_create") && !drafting;
  useActions(listActions, { begin: canBegin ? () => setDrafting(true) : null });
  const begin = canBegin && (
    <Button look="primary" keys="n" onClick={() => setDrafting(true)} data-testid="new-release">
      {t("new")}
    </Button>
  );
  const actions = (
    <>
      {may("publication_show") && (
        <ButtonLink to={`/b/${slug}/public-pages`} data-testid="to-public-pages">
          {t("publicPages")}
        </ButtonLink>
      )}
      {may("erratum_list") && (
        <ButtonLink to={`/b/${slug}/errata`} data-testid="to-errata">
          {t("errata.title")}
        </ButtonLink>
      )}
      {begin}
    </>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={actions}>
      {drafting && <NewRelease slug={slug} onClose={() => setDrafting(false)} />}
      <PagedList of={list} empty={!drafting && <Empty title={t("empty.title")}>{t("empty.text")}</Empty>}>
        {(rows) => <Table rows={rows} slug={slug} />}
      </PagedList>
    </Page>
  );
}

function Table({ rows, slug }: { rows: readonly Release[]; slug: string }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  return (
    <WideTable label={t("title")}>
      <table className={`table ${styles.releases}`} data-testid="releases">
        <TableHead
          columns={[
            t("column.release"),
            t("column.state"),
            t("column.next"),
            { number: t("column.images") },
            { number: t("column.items") },
            t("column.digest"),
            t("column.when"),
          ]}
        />
        <tbody>
          {rows.map((release) => {
            const to = `/b/${slug}/releases/${release.id}`;
            return (
              <tr key={release.id} data-testid={`release-${release.label}`}>
                <td>
                  <Link to={to}>{release.label}</Link> <span className="dim">{format.list(release.kinds.map((kind) => t(`ui:kind.${kind}`)))}</span>
                </td>
                <td>
                  <Chip tone={toneOf(release.state)}>{t(`ui:releaseState.${release.state}`)}</Chip>
                </td>
                <td>
                  {release.checking || release.freezing ? (
                    <span className="dim">{t(release.checking ? "checking" : "freezing")}</span>
                  ) : nextOf(release) === null ? (
                    <span className="faint">—</span>
                  ) : (
                    <Link to={to}>{t(`nextStep.${release.state}`)}</Link>
                  )}
                </td>
                <td className="number">{release.images === null ? <span className="faint">—</span> : format.number(release.images)}</td>
                <td className="number">{format.number(release.items)}</td>
                <td className="mono" title={release.digest ?? undefined}>
                  {release.digest?.slice(0, 12) ?? <span className="faint">—</span>}
                </td>
                <td className="dim">
                  <Time at={release.frozen_at ?? release.created_at} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </WideTable>
  );
}
