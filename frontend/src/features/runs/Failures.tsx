/** What the system could not answer: how many of each kind, and each one with its picture. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useList } from "@/api/queries";
import type { RunDetail } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { ListFoot } from "@/ui/ListFoot";
import { errorText } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { useFilters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import styles from "./runs.module.css";

/** The short name of a failure's code; its sentence is shown below. */
const useKind = (): ((code: string) => string) => {
  const { t } = useTranslation("runs");
  return (code) => t(`failures.kind.${code}`, { defaultValue: errorText(t, { code }) });
};

export function Failures({ run, slug }: { run: RunDetail; slug: string }) {
  const { t } = useTranslation("runs");
  const kind = useKind();
  const filters = useFilters();
  const code = filters.get("code");
  const queries = useQueryClient();
  useEffect(() => {
    // The list grows while the run continues, and shrinks when it is tried again.
    void queries.invalidateQueries({ queryKey: ["run_failures"] });
  }, [queries, run.failed, run.round]);
  // The sentence for a code is shown once, above its rows.
  const explained = run.errors.length === 1 ? run.errors[0]?.code : run.errors.find((error) => error.code === code)?.code;
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
      <ChoiceChips<string | undefined>
        className={styles.runCodes}
        label={t("failures.byKind")}
        value={code}
        onChoose={(one) => filters.set({ code: one })}
        choices={[
          { value: undefined, text: t("filter.all") },
          ...run.errors.map((error) => ({
            value: error.code,
            text: kind(error.code),
            count: error.n,
            title: errorText(t, { code: error.code }),
            testId: `error-${error.code}`,
          })),
        ]}
      />
      {explained !== undefined && <p className="dim">{errorText(t, { code: explained })}</p>}
      <Rows run={run} slug={slug} code={code} />
    </section>
  );
}

function Rows({ run, slug, code }: { run: RunDetail; slug: string; code: string | undefined }) {
  const { t } = useTranslation("runs");
  const kind = useKind();
  const list = useList("run_failures", { path: { id: run.id }, query: { code } });
  return (
    <Loaded of={list}>
      {() => (
        <>
          <WideTable label={t("failures.title")}>
            <table className={`table ${styles.runFailures}`} data-testid="failure-rows">
              <TableHead columns={[t("failures.picture"), t("failures.item"), t("failures.what"), { number: t("failures.round") }]} />
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
                      {row.message !== "" && <p className={`tiny ${styles.runMessage}`}>{row.message}</p>}
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
    </Loaded>
  );
}
