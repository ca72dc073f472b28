/** Fields of the forms for budgets and prices: an amount, and the currency that it is in. */
import { useTranslation } from "react-i18next";
import type { Request } from "@/api/request";
import { useInterfaceLanguage } from "@/i18n/localised";
import { SelectField, TextField } from "@/ui/Field";
import { isAmount, type AmountForm } from "./amounts";
import styles from "./calls.module.css";

interface AmountFieldProps {
  label: string;
  hint?: string;
  value: string;
  form: AmountForm;
  /** Says what is wrong with the value, which only a person who is done with the form wants to know. */
  isChecked: boolean;
  autoFocus?: boolean;
  onChange: (value: string) => void;
  testId: string;
}

export function AmountField({ label, hint, value, form, isChecked, autoFocus = false, onChange, testId }: AmountFieldProps) {
  const { t } = useTranslation("calls");
  return (
    <div className={styles.amount}>
      <TextField
        label={label}
        hint={hint ?? t("amount.hint")}
        wrong={isChecked && !isAmount(value, form) ? t("amount.wrong", { ...form }) : undefined}
        value={value}
        autoFocus={autoFocus}
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value.trim())}
        data-testid={testId}
      />
    </div>
  );
}

export type Currency = Request<"spending_set">["body"]["currency"];

interface CurrencyFieldProps {
  value: Currency;
  currencies: readonly string[];
  onChange: (value: Currency) => void;
  testId: string;
}

export function CurrencyField({ value, currencies, onChange, testId }: CurrencyFieldProps) {
  const { t } = useTranslation("calls");
  const names = new Intl.DisplayNames(useInterfaceLanguage(), { type: "currency" });
  return (
    <div className={styles.currency}>
      <SelectField label={t("offers.currency")} value={value} onChange={(event) => onChange(event.target.value as Currency)} data-testid={testId}>
        {currencies.map((code) => (
          <option key={code} value={code}>
            {code} · {names.of(code)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
