/** A benchmark's calls to models, newest first. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useList } from "@/api/queries";
import type { CallRow } from "@/api/types";
import { money } from "@/i18n/money";
import { Chip } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { PagedList } from "@/ui/PagedList";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { useFilters } from "@/ui/useFilters";
import { WideTable } from "@/ui/WideTable";
import { CALL_STATES, REFRESH_MS, shownState, TONES } from "./states";
import styles from "./calls.module.css";

interface CallListProps {
  slug: string;
  /** Whether calls are in progress, in the list or beyond its end. */
  isCalling: boolean;
}

export function CallList({ slug, isCalling }: CallListProps) {
  const { t } = useTranslation("calls");
  const filters = useFilters();
  const state = filters.oneOf("state", CALL_STATES);
  const list = useList("call_list", { path: { b: slug }, query: { state } }, { refetchInterval: (rows) => (isCalling || rows.some((row) => row.state === "sent") ? REFRESH_MS : false) });
  return (
    <section className={styles.part} aria-labelledby="recent">
      <h2 id="recent">{t("recent")}</h2>
      <div className={styles.chips}>
        <ChoiceChips
          label={t("stateHead")}
          value={state}
          choices={[{ value: undefined, text: t("allStates") }, ...CALL_STATES.map((one) => ({ value: one, text: t(`state.${one}`) }))]}
          onChoose={(one) => filters.set({ state: one })}
        />
      </div>
      <PagedList of={list} empty={<Empty title={t("empty.title")}>{t("empty.text")}</Empty>}>
        {(rows) => (
          <WideTable label={t("recent")}>
            <table className={`table ${styles.list}`}>
              <TableHead columns={[t("call"), t("model"), t("stateHead"), { number: t("tokensIn") }, { number: t("tokensOut") }, { number: t("cost") }, t("sentAt")]} />
              <tbody data-testid="call-rows">
                {rows.map((call) => (
                  <Row key={call.id} call={call} slug={slug} />
                ))}
              </tbody>
            </table>
          </WideTable>
        )}
      </PagedList>
    </section>
  );
}

function Row({ call, slug }: { call: CallRow; slug: string }) {
  const { t } = useTranslation("calls");
  const state = shownState(call);
  return (
    <tr data-testid={`call-${call.id}`}>
      <td>
        <Link to={`/b/${slug}/spending/calls/${call.id}`}>{call.id}</Link>
      </td>
      <td>
        {call.model} <span className="dim">{call.server}</span>
      </td>
      <td>
        <Chip tone={TONES[state]}>{t(`state.${state}`)}</Chip>
      </td>
      <td className="number">{call.tokens_in ?? "–"}</td>
      <td className="number">{call.tokens_out ?? "–"}</td>
      <td className="number" title={call.cost_is_estimate ? t("estimated") : undefined}>
        {call.cost === null ? "–" : [call.cost_is_estimate && "≤", money(call.cost, call.currency)].filter(Boolean).join(" ")}
      </td>
      <td className="dim">
        <Time at={call.sent_at} />
      </td>
    </tr>
  );
}
