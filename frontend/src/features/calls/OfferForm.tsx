/** The owner lets benchmarks call a model of a configured server, at a price. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { isAmount } from "./amounts";
import { AmountField, CurrencyField, type Currency } from "./MoneyFields";

const PRICES = ["million_in", "million_out", "per_picture"] as const;
const LABELS = { million_in: "offers.in", million_out: "offers.out", per_picture: "offers.picture" } as const;
const FORMS = { million_in: { whole: 8, places: 6 }, million_out: { whole: 8, places: 6 }, per_picture: { whole: 6, places: 6 } };

interface OfferFormProps {
  servers: readonly string[];
  currencies: readonly string[];
  onDone: () => void;
}

export function OfferForm({ servers, currencies, onDone }: OfferFormProps) {
  const { t } = useTranslation("calls");
  const [server, setServer] = useState(servers[0] ?? "");
  const [model, setModel] = useState("");
  const [currency, setCurrency] = useState<Currency>("USD");
  const [prices, setPrices] = useState({ million_in: "", million_out: "", per_picture: "0" });
  const [isChecked, setChecked] = useState(false);
  const add = useWrite("offer_add");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setChecked(true);
    if (model.trim() === "" || !PRICES.every((name) => isAmount(prices[name], FORMS[name]))) return;
    add.mutate({ body: { server, model: model.trim(), currency, ...prices } }, { onSuccess: onDone });
  };
  if (servers.length === 0) return <Notice tone="warn">{t("offers.noServer")}</Notice>;
  return (
    <form className="card form" onSubmit={onSubmit} noValidate data-testid="offer-form">
      <SelectField label={t("server")} value={server} onChange={(event) => setServer(event.target.value)} data-testid="offer-server">
        {servers.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <TextField
        label={t("model")}
        hint={t("offers.modelHint")}
        wrong={isChecked && model.trim() === "" ? t("offers.modelMissing") : undefined}
        value={model}
        autoFocus
        maxLength={200}
        spellCheck={false}
        onChange={(event) => setModel(event.target.value)}
        data-testid="offer-model"
      />
      <CurrencyField value={currency} currencies={currencies} onChange={setCurrency} testId="offer-currency" />
      {PRICES.map((name) => (
        <AmountField
          key={name}
          label={t(LABELS[name])}
          value={prices[name]}
          form={FORMS[name]}
          isChecked={isChecked}
          onChange={(value) => setPrices({ ...prices, [name]: value })}
          testId={`offer-${name}`}
        />
      ))}
      {add.error && <Problem error={add.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={add.isPending} data-testid="save-offer">
          {t("offers.save")}
        </Button>
        <Button onClick={onDone}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
