import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import type { AuditEvent } from "@/api/types";
import { Answered } from "@/ui/Answered";
import { AuditLine } from "@/ui/AuditLine";
import { Empty } from "@/ui/Empty";
import { ListFoot } from "@/ui/ListFoot";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import "./audit.css";

const TYPES = ["image", "item", "package", "inspection", "release", "person", "benchmark"] as const;

/** Pages of things, by target type; what has no page of its own stays text. */
const PAGES: Readonly<Record<string, string>> = { image: "pictures", package: "packages", release: "releases" };

export function AuditTrail() {
  const { t } = useTranslation("audit");
  const slug = useSlug();
  const [search, setSearch] = useSearchParams();
  const type = search.get("target_type") ?? "";
  const actor = Number(search.get("actor_id")) || undefined;
  const target = Number(search.get("target_id")) || undefined;
  const list = useList("audit_list", {
    path: { b: slug },
    query: { target_type: type === "" ? undefined : type, target_id: target, actor_id: actor },
  });
  const filter = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    // A target's number means nothing under another type.
    if (name === "target_type") next.delete("target_id");
    setSearch(next);
  };
  return (
    <Page title={t("title")} lead={t("lead")}>
      <div className="chips audit-filters" role="group" aria-label={t("filter")}>
        <button type="button" className="chip" aria-pressed={type === ""} onClick={() => filter("target_type", "")}>
          {t("all")}
        </button>
        {TYPES.map((one) => (
          <button key={one} type="button" className="chip" aria-pressed={type === one} onClick={() => filter("target_type", one)}>
            {t(`ui:target.${one}`)}
          </button>
        ))}
        {actor !== undefined && (
          <button type="button" className="chip" aria-pressed="true" onClick={() => filter("actor_id", "")}>
            {t("by", { name: list.rows[0]?.actor?.name ?? actor })} ✕
          </button>
        )}
      </div>
      <Answered of={list}>
        {() =>
          list.rows.length === 0 ? (
            <Empty title={t("empty.title")}>{t("empty.text")}</Empty>
          ) : (
            <>
              <table className="table audit">
                <thead>
                  <tr>
                    <th scope="col">{t("when")}</th>
                    <th scope="col">{t("who")}</th>
                    <th scope="col">{t("what")}</th>
                    <th scope="col">{t("target")}</th>
                  </tr>
                </thead>
                <tbody>
                  {list.rows.map((event) => (
                    <tr key={event.id}>
                      <td className="dim">
                        <Time at={event.at} />
                      </td>
                      <td>
                        {event.actor ? (
                          <button type="button" className="linklike" onClick={() => filter("actor_id", String(event.actor?.id ?? ""))}>
                            {event.actor.name}
                          </button>
                        ) : (
                          <span className="dim">{t("system")}</span>
                        )}
                      </td>
                      <td>
                        <AuditLine event={event} />
                      </td>
                      <td>
                        <Target event={event} slug={slug} />
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

function Target({ event, slug }: { event: AuditEvent; slug: string }) {
  const { t } = useTranslation("audit");
  const page = PAGES[event.target_type];
  const text = event.label !== "" ? event.label : t("numbered", { type: t([`ui:target.${event.target_type}`, event.target_type]), id: event.target_id });
  return page === undefined ? <>{text}</> : <Link to={`/b/${slug}/${page}/${event.target_id}`}>{text}</Link>;
}
