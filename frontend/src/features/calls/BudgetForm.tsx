/** The owner sets the most that a benchmark may spend. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Spending } from "@/api/types";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";

export function BudgetForm({ budget, slug, onDone }: { budget: Spending["budget"]; slug: string; onDone: () => void }) {
  const { t } = useTranslation("calls");
  const [ceiling, setCeiling] = useState(budget?.ceiling ?? "");
  const [currency, setCurrency] = useState(budget?.currency ?? "USD");
  const set = useWrite("spending_set");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    set.mutate({ path: { b: slug }, body: { ceiling, currency } }, { onSuccess: onDone });
  };
  return (
    <form className="card form" onSubmit={onSubmit} data-testid="budget-form">
      <TextField
        label={t("budget.ceiling")}
        hint={t("budget.ceilingHint")}
        value={ceiling}
        required
        autoFocus
        inputMode="decimal"
        pattern="\d{1,10}(\.\d{1,4})?"
        onChange={(event) => setCeiling(event.target.value)}
        data-testid="budget-ceiling"
      />
      <TextField
        label={t("offers.currency")}
        value={currency}
        required
        pattern="[A-Z]{3}"
        maxLength={3}
        onChange={(event) => setCurrency(event.target.value.toUpperCase())}
        data-testid="budget-currency"
      />
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
