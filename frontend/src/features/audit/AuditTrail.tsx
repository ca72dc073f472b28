import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useReasonName, useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import { Answered } from "@/ui/Answered";
import { AuditLine } from "@/ui/AuditLine";
import { AuditTargetLink } from "@/ui/AuditTimeline";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { SelectField, TextField } from "@/ui/Field";
import { PickOne } from "@/ui/kit/PickOne";
import { ListFoot } from "@/ui/ListFoot";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { useSettled } from "@/ui/useSettled";
import { between } from "./days";
import "./audit.css";

const TYPES = ["image", "item", "package", "inspection", "release", "person", "team", "invitation", "benchmark", "protocol", "guideline", "run", "submission", "import"] as const;

/** Every decision of the benchmark, narrowed by who, what, on which kind of thing and when. */
export function AuditTrail() {
  const { t } = useTranslation("audit");
  const slug = useSlug();
  const may = useMay(slug);
  const reasonName = useReasonName(slug);
  const [search, setSearch] = useSearchParams();
  const type = search.get("target_type") ?? "";
  const action = search.get("action") ?? "";
  const from = search.get("from") ?? "";
  const to = search.get("to") ?? "";
  const actor = Number(search.get("actor_id")) || undefined;
  const target = Number(search.get("target_id")) || undefined;
  const query = {
    target_type: type === "" ? undefined : type,
    target_id: target,
    actor_id: actor,
    action: action === "" ? undefined : action,
    ...between(from, to),
  };
  const list = useList("audit_list", { path: { b: slug }, query });
  const filter = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    // A target's number means nothing under another type.
    if (name === "target_type") next.delete("target_id");
    setSearch(next);
  };
  const only = (of: string, id: number) => {
    const next = new URLSearchParams(search);
    next.set("target_type", of);
    next.set("target_id", String(id));
    setSearch(next);
  };
  const label = list.rows[0]?.label ?? "";
  const isFiltered = [...search.keys()].length > 0;
  const file = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) file.set(name, String(value));

  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      actions={
        may("audit_file") && (
          <a className="button" href={`/api/v1/benchmarks/${slug}/audit.csv?${file.toString()}`} download data-testid="audit-csv">
            {t("csv")}
          </a>
        )
      }
    >
      <div className="audit-filters" role="search" aria-label={t("filter")}>
        {may("person_list") && <Actor slug={slug} actor={actor} name={list.rows[0]?.actor?.name} onActor={(id) => filter("actor_id", id)} />}
        <SelectField label={t("what")} value={action} onChange={(event) => filter("action", event.target.value)} data-testid="filter-action">
          <option value="">{t("all")}</option>
          <Actions />
        </SelectField>
        <SelectField label={t("target")} value={type} onChange={(event) => filter("target_type", event.target.value)} data-testid="filter-target">
          <option value="">{t("all")}</option>
          {TYPES.map((one) => (
            <option key={one} value={one}>
              {t(`ui:target.${one}`)}
            </option>
          ))}
        </SelectField>
        <TextField type="date" label={t("from")} value={from} max={to || undefined} onChange={(event) => filter("from", event.target.value)} data-testid="filter-from" />
        <TextField type="date" label={t("to")} value={to} min={from || undefined} onChange={(event) => filter("to", event.target.value)} data-testid="filter-to" />
        {isFiltered && (
          <Button look="plain" onClick={() => setSearch(new URLSearchParams())} data-testid="filter-none">
            {t("none")}
          </Button>
        )}
      </div>
      {(target !== undefined || (actor !== undefined && !may("person_list"))) && (
        <div className="chips audit-only">
          {target !== undefined && (
            <button type="button" className="chip" aria-pressed="true" onClick={() => filter("target_id", "")}>
              {label === "" ? t("ui:targetNumbered", { type: t([`ui:target.${type}`, type]), id: target }) : label} ✕
            </button>
          )}
          {actor !== undefined && !may("person_list") && (
            <button type="button" className="chip" aria-pressed="true" onClick={() => filter("actor_id", "")}>
              {t("by", { name: list.rows[0]?.actor?.name ?? actor })} ✕
            </button>
          )}
        </div>
      )}
      <Answered of={list}>
        {() =>
          list.rows.length === 0 ? (
            <Empty title={t(isFiltered ? "empty.filtered" : "empty.title")}>{t("empty.text")}</Empty>
          ) : (
            <>
              <table className="table audit">
                <thead>
                  <tr>
                    <th scope="col">{t("when")}</th>
                    <th scope="col">{t("who")}</th>
                    <th scope="col">{t("target")}</th>
                    <th scope="col">{t("what")}</th>
                  </tr>
                </thead>
                <tbody data-testid="audit-rows">
                  {list.rows.map((event) => (
                    <tr key={event.id} data-action={event.action}>
                      <td className="dim">
                        <Time at={event.at} />
                      </td>
                      <td>
                        {event.actor ? (
                          <button type="button" className="linklike" onClick={() => filter("actor_id", String(event.actor?.id ?? ""))}>
                            {event.actor.name}
                          </button>
                        ) : (
                          <span className="dim">{t("ui:byItself")}</span>
                        )}
                      </td>
                      <td>
                        <AuditTargetLink event={event} slug={slug} />{" "}
                        {target === undefined && (
                          <button
                            type="button"
                            className="linklike audit-this"
                            title={t("only")}
                            aria-label={t("onlyOf", { name: event.label === "" ? event.target_id : event.label })}
                            onClick={() => only(event.target_type, event.target_id)}
                            data-testid="only-this"
                          >
                            <span aria-hidden="true">⌕</span>
                          </button>
                        )}
                      </td>
                      <td>
                        <AuditLine event={event} reasonName={reasonName} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <ListFoot list={list} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}

/** Actions the interface has words for; one that is filtered by a link of elsewhere need not be among them. */
function Actions() {
  const { t, i18n } = useTranslation("audit");
  const named = Object.keys((i18n.getResource(i18n.language, "ui", "operation") as Record<string, string> | undefined) ?? {});
  return named
    .map((action) => ({ action, text: t(`ui:operation.${action}`) }))
    .sort((a, b) => a.text.localeCompare(b.text, i18n.language))
    .map(({ action, text }) => (
      <option key={action} value={action}>
        {text}
      </option>
    ));
}

function Actor({ slug, actor, name, onActor }: { slug: string; actor: number | undefined; name: string | undefined; onActor: (id: string) => void }) {
  const { t } = useTranslation("audit");
  const [words, setWords] = useState("");
  const settled = useSettled(words.trim());
  const people = useList("person_list", { path: { b: slug }, query: { search: settled === "" ? undefined : settled } });
  const options = people.rows.map((one) => ({ value: String(one.id), label: `${one.name} (${one.username})` }));
  // The one filtered by need not be among those found.
  if (actor !== undefined && !options.some((one) => one.value === String(actor))) options.unshift({ value: String(actor), label: name ?? String(actor) });
  return (
    <PickOne
      label={t("who")}
      value={actor === undefined ? null : String(actor)}
      options={options}
      onChange={(value) => onActor(value ?? "")}
      onSearch={setWords}
      placeholder={t("anybody")}
      testId="filter-actor"
    />
  );
}
