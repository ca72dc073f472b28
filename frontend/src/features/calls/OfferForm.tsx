/** The owner lets benchmarks call a model of a configured server, at a price. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";

const PRICES = ["million_in", "million_out", "per_picture"] as const;
const LABELS = { million_in: "offers.in", million_out: "offers.out", per_picture: "offers.picture" } as const;

export function OfferForm({ servers, onDone }: { servers: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation("calls");
  const [server, setServer] = useState(servers[0] ?? "");
  const [model, setModel] = useState("");
  const [currency, setCurrency] = useState("USD");
  const [prices, setPrices] = useState({ million_in: "", million_out: "", per_picture: "0" });
  const add = useWrite("offer_add");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    add.mutate({ body: { server, model: model.trim(), currency, ...prices } }, { onSuccess: onDone });
  };
  if (servers.length === 0) return <Notice tone="warn">{t("offers.noServer")}</Notice>;
  return (
    <form className="card form" onSubmit={onSubmit} data-testid="offer-form">
      <SelectField label={t("server")} value={server} onChange={(event) => setServer(event.target.value)} data-testid="offer-server">
        {servers.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <TextField
        label={t("model")}
        hint={t("offers.modelHint")}
        value={model}
        required
        autoFocus
        maxLength={200}
        spellCheck={false}
        onChange={(event) => setModel(event.target.value)}
        data-testid="offer-model"
      />
      <TextField
        label={t("offers.currency")}
        value={currency}
        required
        pattern="[A-Z]{3}"
        maxLength={3}
        onChange={(event) => setCurrency(event.target.value.toUpperCase())}
      />
      {PRICES.map((name) => (
        <TextField
          key={name}
          label={t(LABELS[name])}
          value={prices[name]}
          required
          inputMode="decimal"
          pattern="\d{1,4}(\.\d{1,6})?"
          onChange={(event) => setPrices({ ...prices, [name]: event.target.value })}
          data-testid={`offer-${name}`}
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
