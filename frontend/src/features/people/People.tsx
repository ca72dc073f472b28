import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Person } from "@/api/types";
import { Answered } from "@/ui/Answered";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { DataTable, type Column } from "@/ui/kit/DataTable";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { AddPerson } from "./AddPerson";
import { useRoleName } from "./roles";

export function People() {
  const { t } = useTranslation("people");
  const slug = useSlug();
  const may = useMay(slug);
  const benchmark = useBenchmark(slug);
  const roleName = useRoleName(benchmark.data);
  const people = useRead("person_list", { path: { b: slug } });
  const [adding, setAdding] = useState(false);

  const columns: Column<Person>[] = [
    { key: "name", title: t("name"), sort: (a, b) => a.name.localeCompare(b.name, "zh"), cell: (person) => <b>{person.name}</b> },
    { key: "username", title: t("username"), sort: (a, b) => a.username.localeCompare(b.username), cell: (person) => <span className="mono">{person.username}</span> },
    {
      key: "roles",
      title: t("roles"),
      cell: (person) => (
        <span className="chips">
          {person.roles.map((role) => (
            <Chip key={role}>{roleName(role)}</Chip>
          ))}
        </span>
      ),
    },
    {
      key: "seen",
      title: t("lastSeen"),
      cell: (person) => (person.last_seen === null ? <span className="faint">{t("never")}</span> : <Time at={person.last_seen} />),
    },
  ];

  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        may("person_create") &&
        !adding && (
          <Button look="primary" onClick={() => setAdding(true)} data-testid="add-person">
            {t("add")}
          </Button>
        )
      }
    >
      {adding && benchmark.data && <AddPerson slug={slug} benchmark={benchmark.data} onDone={() => setAdding(false)} />}
      <Answered of={people}>{(rows) => <DataTable rows={rows} columns={columns} rowKey={(person) => person.id} label={t("title")} />}</Answered>
    </Page>
  );
}
