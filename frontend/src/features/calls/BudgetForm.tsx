/** The owner sets the most that a benchmark may spend. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Spending } from "@/api/types";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";
import { isAmount } from "./amounts";
import { AmountField, CurrencyField, type Currency } from "./MoneyFields";

const CEILING = { whole: 10, places: 4 };

interface BudgetFormProps {
  budget: Spending["budget"];
  currencies: readonly string[];
  slug: string;
  onDone: () => void;
}

export function BudgetForm({ budget, currencies, slug, onDone }: BudgetFormProps) {
  const { t } = useTranslation("calls");
  const [ceiling, setCeiling] = useState(budget?.ceiling ?? "");
  const [currency, setCurrency] = useState((budget?.currency ?? "USD") as Currency);
  const [isChecked, setChecked] = useState(false);
  const set = useWrite("spending_set");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isAmount(ceiling, CEILING)) set.mutate({ path: { b: slug }, body: { ceiling, currency } }, { onSuccess: onDone });
  };
  return (
    <form className="card form" onSubmit={onSubmit} noValidate data-testid="budget-form">
      <AmountField label={t("budget.ceiling")} hint={t("budget.ceilingHint")} value={ceiling} form={CEILING} isChecked={isChecked} autoFocus onChange={setCeiling} testId="budget-ceiling" />
      <CurrencyField value={currency} currencies={currencies} onChange={setCurrency} testId="budget-currency" />
      {set.error && <Problem error={set.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={set.isPending} data-testid="save-budget">
          {t("budget.save")}
        </Button>
        <Button onClick={onDone}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
