/** The person's lists of addresses: how far each is, what became of its lines, and another try for those that failed. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useList, useRead, useWrite } from "@/api/queries";
import type { UrlListRow } from "@/api/types";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Loaded } from "@/ui/Loaded";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Problem, useErrorText } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import styles from "./addresses.module.css";

const POLL_MS = 2_000;
/** Lists shown; older ones are done. */
const SHOWN = 5;
const TONES = { waiting: undefined, checking: undefined, ready: "good", added: "good", failed: "bad", refused: "bad", removed: undefined } as const;

export function AddressLists({ slug, onFetched }: { slug: string; onFetched: () => void }) {
  const { t } = useTranslation("images");
  const { rows } = useList(
    "url_list_list",
    { path: { b: slug }, query: { page_size: SHOWN } },
    { refetchInterval: (lists) => (lists.some((one) => one.waiting > 0) ? POLL_MS : false) },
  );
  const fetched = rows.reduce((sum, one) => sum + one.fetched, 0);
  useEffect(() => {
    if (fetched > 0) onFetched();
  }, [fetched, onFetched]);
  const lists = rows.slice(0, SHOWN);
  if (lists.length === 0) return null;
  return (
    <section aria-label={t("addresses.lists")} className={styles.lists} data-testid="address-lists">
      {lists.map((one) => (
        <List key={one.id} of={one} slug={slug} />
      ))}
    </section>
  );
}

function List({ of, slug }: { of: UrlListRow; slug: string }) {
  const { t } = useTranslation("images");
  const [isOpen, setIsOpen] = useState(false);
  const retry = useWrite("url_list_retry");
  const done = of.lines - of.waiting;
  return (
    <article className={styles.oneList} data-testid="address-list" data-waiting={of.waiting}>
      <div className={styles.head}>
        <b>{t("addresses.number", { id: of.id })}</b>
        <span className="dim">
          <Time at={of.created_at} />
        </span>
        <span className="number" aria-live="polite">
          {t("addresses.progress", { fetched: of.fetched, lines: of.lines })}
        </span>
        {of.failed > 0 && <Chip tone="bad">{t("addresses.failed", { count: of.failed })}</Chip>}
        <Button small look="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} data-testid="address-lines">
          {t("addresses.lines")}
        </Button>
        {of.available_actions.includes("url_list_retry") && (
          <Button small busy={retry.isPending} onClick={() => retry.mutate({ path: { id: of.id } })} data-testid="address-retry">
            {t("addresses.retry")}
          </Button>
        )}
      </div>
      {of.waiting > 0 && <Meter value={done} of={of.lines} label={t("addresses.progress", { fetched: of.fetched, lines: of.lines })} />}
      {retry.error && <Problem error={retry.error} />}
      {isOpen && <Lines id={of.id} slug={slug} />}
    </article>
  );
}

function Lines({ id, slug }: { id: number; slug: string }) {
  const { t } = useTranslation("images");
  const errorText = useErrorText();
  const list = useRead("url_list_show", { path: { id } }, { fresh: true, refetchInterval: POLL_MS });
  return (
    <Loaded of={list}>
      {(data) => (
        <>
          {!data.worker_alive && data.waiting > 0 && <Notice tone="warn">{t("intake.noWorker", { count: data.waiting })}</Notice>}
          <WideTable label={t("addresses.number", { id })}>
            <table className={`table ${styles.table}`} data-testid="address-rows">
              <TableHead columns={[{ number: t("addresses.column.line") }, t("addresses.column.url"), t("addresses.column.state")]} />
              <tbody>
                {data.rows.map((row) => (
                  <tr key={row.line} data-state={row.state}>
                    <td className="number">{row.line}</td>
                    <td className={styles.url}>
                      {row.url}
                      {row.error && (
                        <p className="wrong" data-code={row.error.code}>
                          {errorText(row.error)}
                        </p>
                      )}
                    </td>
                    <td>
                      {row.image ? <Link to={`/b/${slug}/pictures/${row.image.id}`}>{row.image.label}</Link> : <Chip tone={TONES[row.state]}>{t(`addresses.state.${row.state}`)}</Chip>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </WideTable>
        </>
      )}
    </Loaded>
  );
}
