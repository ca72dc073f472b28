/** People who submit predictions from outside the team: since when, with whom, how much; administrators bar and readmit them. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useList, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { PagedList } from "@/ui/PagedList";
import { Problem } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { useFilters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { PeoplePage } from "./PeoplePage";
import styles from "./people.module.css";

type Outsider = Answer<"outsider_list">["results"][number];

export function Outsiders() {
  const { t } = useTranslation("people");
  const slug = useSlug();
  const filters = useFilters();
  const barred = filters.get("barred");
  const list = useList("outsider_list", { path: { b: slug }, query: { barred: barred === undefined ? undefined : barred === "true" } });
  return (
    <PeoplePage>
      <p className="dim">{t("outsiders.lead")}</p>
      <div className="filters">
        <label>
          <span className="visually-hidden">{t("outsiders.filter")}</span>
          <select className="input" value={barred ?? ""} onChange={(event) => filters.set({ barred: event.target.value })} data-testid="filter-barred">
            <option value="">{t("outsiders.all")}</option>
            <option value="false">{t("outsiders.active")}</option>
            <option value="true">{t("outsiders.barred")}</option>
          </select>
        </label>
      </div>
      <PagedList of={list} empty={<Empty title={t("outsiders.empty.title")}>{t("outsiders.empty.text")}</Empty>}>
        {(rows) => (
          <WideTable label={t("tab.outsiders")}>
            <table className="table" data-testid="outsiders">
              <TableHead
                columns={[
                  t("outsiders.person"),
                  t("outsiders.since"),
                  t("outsiders.crew"),
                  { number: t("outsiders.submissions") },
                  t("outsiders.last"),
                  t("state"),
                  { number: <span className="visually-hidden">{t("outsiders.action")}</span> },
                ]}
              />
              <tbody>
                {rows.map((row) => (
                  <Row key={row.person.id} of={row} slug={slug} />
                ))}
              </tbody>
            </table>
          </WideTable>
        )}
      </PagedList>
    </PeoplePage>
  );
}

function Row({ of, slug }: { of: Outsider; slug: string }) {
  const { t } = useTranslation("people");
  const format = useFormat();
  return (
    <tr data-testid={`outsider-${of.username}`}>
      <th scope="row">
        {of.person.name} <span className="mono faint">{of.username}</span>
      </th>
      <td className="dim">
        <Time at={of.since} />
        {of.invited_by && <> · {t("outsiders.invitedBy", { name: of.invited_by.name })}</>}
      </td>
      <td>{of.crew === "" ? <span className="faint">—</span> : of.crew}</td>
      <td className="number">{format.number(of.submissions)}</td>
      <td className="dim">{of.last_submission_at === null ? <span className="faint">—</span> : <Time at={of.last_submission_at} />}</td>
      <td>
        {of.barred_at === null ? (
          <Chip tone={of.terms_accepted ? "good" : undefined}>{t(of.terms_accepted ? "outsiders.active" : "outsiders.noTerms")}</Chip>
        ) : (
          <Chip tone="bad">{t("outsiders.barred")}</Chip>
        )}
      </td>
      <td className="number">
        <Act of={of} slug={slug} />
      </td>
    </tr>
  );
}

function Act({ of, slug }: { of: Outsider; slug: string }) {
  const { t } = useTranslation("people");
  const [asking, setAsking] = useState(false);
  const bar = useWrite("outsider_bar");
  const readmit = useWrite("outsider_readmit");
  const path = { b: slug, id: of.person.id };
  const error = bar.error ?? readmit.error;
  return (
    <>
      {error && <Problem error={error} />}
      {of.available_actions.includes("outsider_readmit") && (
        <Button small busy={readmit.isPending} onClick={() => readmit.mutate({ path })} data-testid={`readmit-${of.username}`}>
          {t("outsiders.readmit")}
        </Button>
      )}
      {of.available_actions.includes("outsider_bar") &&
        (asking ? (
          <span className={styles.outsiderAsk} role="group" aria-label={t("outsiders.bar")}>
            <span>{t("outsiders.ask")}</span>
            <Button small look="danger" autoFocus busy={bar.isPending} onClick={() => bar.mutate({ path }, { onSuccess: () => setAsking(false) })} data-testid={`bar-${of.username}-go`}>
              {t("outsiders.bar")}
            </Button>
            <Button small onClick={() => setAsking(false)}>
              {t("ui:cancel")}
            </Button>
          </span>
        ) : (
          <Button small onClick={() => setAsking(true)} data-testid={`bar-${of.username}`}>
            {t("outsiders.bar")}
          </Button>
        ))}
    </>
  );
}
