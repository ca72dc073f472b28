/** What a benchmark may spend on calls to models, what they cost so far, and the models that may be called. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Spending } from "@/api/types";
import { money } from "@/i18n/money";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Loaded } from "@/ui/Loaded";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import { BudgetForm } from "./BudgetForm";
import { CallList } from "./CallList";
import { Offers } from "./Offers";
import { REFRESH_MS, TONES } from "./states";
import styles from "./calls.module.css";

function isCalling(of: Spending | undefined): boolean {
  return of?.by_model.some((row) => row.state === "sent") ?? false;
}

export function SpendingPage() {
  const { t } = useTranslation("calls");
  const slug = useSlug();
  const spending = useRead("spending_show", { path: { b: slug } }, { refetchInterval: (answer) => (isCalling(answer as Spending | undefined) ? REFRESH_MS : false) });
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Loaded of={spending}>
        {(of) => (
          <>
            <BudgetPart of={of} slug={slug} />
            <ByModel of={of} />
            <Offers of={of} slug={slug} />
          </>
        )}
      </Loaded>
      <CallList slug={slug} isCalling={isCalling(spending.data)} />
    </Page>
  );
}

function BudgetPart({ of, slug }: { of: Spending; slug: string }) {
  const { t } = useTranslation("calls");
  const may = useMay(slug);
  const [isOpen, setOpen] = useState(false);
  const budget = of.budget;
  return (
    <section className={styles.part} aria-labelledby="budget" data-testid="budget">
      <h2 id="budget">{t("budget.title")}</h2>
      {budget === null ? (
        <Notice tone="warn">{t("budget.none")}</Notice>
      ) : (
        <>
          <p>{t("budget.line", { spent: budget.spent, ceiling: budget.ceiling, currency: budget.currency })}</p>
          <div className={styles.meter}>
            <Meter value={Number(budget.spent) + Number(budget.reserved)} of={Number(budget.ceiling)} label={t("budget.title")} />
          </div>
          <p className="dim">{t("budget.left", { left: budget.left, reserved: budget.reserved, currency: budget.currency })}</p>
          <p className={`tiny ${styles.hint}`}>{t("budget.reserving")}</p>
        </>
      )}
      {may("spending_set") && (
        <div className={styles.below}>
          {isOpen ? (
            <BudgetForm budget={budget} currencies={of.currencies} slug={slug} onDone={() => setOpen(false)} />
          ) : (
            <Button onClick={() => setOpen(true)} data-testid="set-budget">
              {t(budget === null ? "budget.set" : "budget.change")}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

/** Every cost is in the currency of the budget, which stays as soon as something was paid. */
function ByModel({ of: { by_model: rows, budget } }: { of: Spending }) {
  const { t } = useTranslation("calls");
  if (rows.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="by-model">
      <h2 id="by-model">{t("byModel")}</h2>
      <WideTable label={t("byModel")}>
        <table className={`table ${styles.byModel}`}>
          <TableHead columns={[t("model"), t("stateHead"), { number: t("calls") }, { number: t("tokensIn") }, { number: t("tokensOut") }, { number: t("cost") }]} />
          <tbody data-testid="by-model">
            {rows.map((row) => (
              <tr key={`${row.server} ${row.model} ${row.state}`}>
                <td>
                  {row.model} <span className="dim">{row.server}</span>
                </td>
                <td>
                  <Chip tone={TONES[row.state]}>{t(`state.${row.state}`)}</Chip>
                </td>
                <td className="number">{row.calls}</td>
                <td className="number">{row.tokens_in}</td>
                <td className="number">{row.tokens_out}</td>
                <td className="number">{money(row.cost, budget?.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}
