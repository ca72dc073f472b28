/** What the system could not answer: how many of each kind, and each one with its picture. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useList } from "@/api/queries";
import type { RunDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Answered } from "@/ui/Answered";
import { ListFoot } from "@/ui/ListFoot";
import { errorText } from "@/ui/Problem";
import { WideTable } from "@/ui/WideTable";

/** A kind of failure in a word or two; its sentence stands below. */
const useKind = (): ((code: string) => string) => {
  const { t } = useTranslation("runs");
  return (code) => t(`failures.kind.${code}`, { defaultValue: errorText(t, { code }) });
};

export function Failures({ run, slug }: { run: RunDetail; slug: string }) {
  const { t } = useTranslation("runs");
  const format = useFormat();
  const kind = useKind();
  const [search, setSearch] = useSearchParams();
  const code = search.get("code") ?? "";
  const queries = useQueryClient();
  useEffect(() => {
    // The list grows while the run goes on, and shrinks when it is tried again.
    void queries.invalidateQueries({ queryKey: ["run_failures"] });
  }, [queries, run.failed, run.round]);
  // What a kind means is said once, above its rows.
  const said = run.errors.length === 1 ? run.errors[0]?.code : run.errors.find((error) => error.code === code)?.code;
  const filter = (next: string) => setSearch(next === "" ? {} : { code: next });
  if (run.errors.length === 0) {
    return (
      <section className="card">
        <h2>{t("failures.title")}</h2>
        <p className="dim">{t("failures.none")}</p>
      </section>
    );
  }
  return (
    <section className="card" data-testid="failures">
      <h2>{t("failures.title")}</h2>
      <p className="dim">{t("failures.text")}</p>
      <div className="chips run-codes" role="group" aria-label={t("failures.byKind")}>
        <button type="button" className="chip" aria-pressed={code === ""} onClick={() => filter("")}>
          {t("filter.all")}
        </button>
        {run.errors.map((error) => (
          <button
            key={error.code}
            type="button"
            className="chip"
            aria-pressed={code === error.code}
            title={errorText(t, { code: error.code })}
            onClick={() => filter(error.code)}
            data-testid={`error-${error.code}`}
          >
            {kind(error.code)} <span className="number">{format.number(error.n)}</span>
          </button>
        ))}
      </div>
      {said !== undefined && <p className="dim">{errorText(t, { code: said })}</p>}
      <Rows run={run} slug={slug} code={code} />
    </section>
  );
}

function Rows({ run, slug, code }: { run: RunDetail; slug: string; code: string }) {
  const { t } = useTranslation("runs");
  const kind = useKind();
  const list = useList("run_failures", { path: { id: run.id }, query: { code: code === "" ? undefined : code } });
  return (
    <Answered of={list}>
      {() => (
        <>
          <WideTable label={t("failures.title")}>
            <table className="table run-failures" data-testid="failure-rows">
              <thead>
                <tr>
                  <th scope="col">{t("failures.picture")}</th>
                  <th scope="col">{t("failures.item")}</th>
                  <th scope="col">{t("failures.what")}</th>
                  <th scope="col" className="number">
                    {t("failures.round")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.rows.map((row) => (
                  <tr key={`${row.item.id}-${row.revision_no}-${row.variant}-${row.round}`}>
                    <td>
                      <Link to={`/b/${slug}/pictures/${row.image.id}`} aria-label={t("failures.openPicture", { label: row.item.label })}>
                        {row.image.thumb_url === "" ? (
                          row.image.label
                        ) : (
                          <img src={row.image.thumb_url} alt="" width={56} height={42} loading="lazy" decoding="async" />
                        )}
                      </Link>
                    </td>
                    <td>
                      <Link to={`/b/${slug}/items/${row.item.id}`}>{row.item.label}</Link>
                      <p className="tiny">{row.variant}</p>
                    </td>
                    <td>
                      <span data-code={row.code}>{kind(row.code)}</span>
                      {row.said !== "" && <p className="tiny run-said">{row.said}</p>}
                    </td>
                    <td className="number">{row.round + 1}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </WideTable>
          <ListFoot list={list} />
        </>
      )}
    </Answered>
  );
}
