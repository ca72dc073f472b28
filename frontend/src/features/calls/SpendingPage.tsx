/** What a benchmark may spend on calls to models, what they cost so far, and the models that may be called. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Spending } from "@/api/types";
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
import { OfferForm } from "./OfferForm";
import { TONES } from "./states";
import styles from "./calls.module.css";

export function SpendingPage() {
  const { t } = useTranslation("calls");
  const slug = useSlug();
  const spending = useRead("spending_show", { path: { b: slug } });
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Loaded of={spending}>
        {(of) => (
          <>
            <BudgetPart of={of} slug={slug} />
            <ByModel rows={of.by_model} />
            <Offers of={of} slug={slug} />
          </>
        )}
      </Loaded>
      <CallList slug={slug} />
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
          <Meter value={Number(budget.spent) + Number(budget.reserved)} of={Number(budget.ceiling)} label={t("budget.title")} />
          <p className="dim">{t("budget.left", { left: budget.left, reserved: budget.reserved, currency: budget.currency })}</p>
        </>
      )}
      {may("spending_set") &&
        (isOpen ? (
          <BudgetForm budget={budget} slug={slug} onDone={() => setOpen(false)} />
        ) : (
          <Button onClick={() => setOpen(true)} data-testid="set-budget">
            {t(budget === null ? "budget.set" : "budget.change")}
          </Button>
        ))}
    </section>
  );
}

function ByModel({ rows }: { rows: Spending["by_model"] }) {
  const { t } = useTranslation("calls");
  if (rows.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="by-model">
      <h2 id="by-model">{t("byModel")}</h2>
      <WideTable label={t("byModel")}>
        <table className="table">
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
                <td className="number">{row.cost}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </section>
  );
}

function Offers({ of, slug }: { of: Spending; slug: string }) {
  const { t } = useTranslation("calls");
  const may = useMay(slug);
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.part} aria-labelledby="offers">
      <h2 id="offers">{t("offers.title")}</h2>
      {of.offers.length === 0 ? (
        <p className="dim">{t("offers.none")}</p>
      ) : (
        <WideTable label={t("offers.title")}>
          <table className="table">
            <TableHead columns={[t("model"), { number: t("offers.in") }, { number: t("offers.out") }, { number: t("offers.picture") }, t("offers.currency")]} />
            <tbody data-testid="offers">
              {of.offers.map((offer) => (
                <tr key={offer.id}>
                  <td>
                    {offer.model} <span className="dim">{offer.server}</span> {!offer.configured && <Chip tone="warn">{t("offers.away")}</Chip>}
                  </td>
                  <td className="number">{offer.million_in}</td>
                  <td className="number">{offer.million_out}</td>
                  <td className="number">{offer.per_picture}</td>
                  <td>{offer.currency}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      {may("offer_add") &&
        (isOpen ? (
          <OfferForm servers={of.servers} onDone={() => setOpen(false)} />
        ) : (
          <Button onClick={() => setOpen(true)} data-testid="add-offer">
            {t("offers.add")}
          </Button>
        ))}
    </section>
  );
}
