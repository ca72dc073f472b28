/** The models that may be called, with their prices; the owner adds and removes them. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { OfferRow, Spending } from "@/api/types";
import { money } from "@/i18n/money";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Problem } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { WideTable } from "@/ui/WideTable";
import { OfferForm } from "./OfferForm";
import styles from "./calls.module.css";

export function Offers({ of, slug }: { of: Spending; slug: string }) {
  const { t } = useTranslation("calls");
  const may = useMay(slug);
  const [isOpen, setOpen] = useState(false);
  const mayRemove = may("offer_withdraw");
  const prices = [{ number: t("offers.in") }, { number: t("offers.out") }, { number: t("offers.picture") }];
  return (
    <section className={styles.part} aria-labelledby="offers">
      <h2 id="offers">{t("offers.title")}</h2>
      {of.offers.length === 0 ? (
        <p className="dim">{t("offers.none")}</p>
      ) : (
        <WideTable label={t("offers.title")}>
          <table className={`table ${styles.offers}`}>
            <TableHead columns={[t("model"), ...prices, ...(mayRemove ? [""] : [])]} />
            <tbody data-testid="offers">
              {of.offers.map((offer) => (
                <Offer key={offer.id} offer={offer} mayRemove={mayRemove} />
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      {may("offer_add") && (
        <div className={styles.below}>
          {isOpen ? (
            <OfferForm servers={of.servers} currencies={of.currencies} onDone={() => setOpen(false)} />
          ) : (
            <Button onClick={() => setOpen(true)} data-testid="add-offer">
              {t("offers.add")}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function Offer({ offer, mayRemove }: { offer: OfferRow; mayRemove: boolean }) {
  const { t } = useTranslation("calls");
  const [isAsking, setAsking] = useState(false);
  const remove = useWrite("offer_withdraw");
  const { currency } = offer;
  return (
    <tr data-testid={`offer-${offer.id}`}>
      <td>
        {offer.model} <span className="dim">{offer.server}</span> {!offer.configured && <Chip tone="warn">{t("offers.away")}</Chip>}
      </td>
      <td className="number">{money(offer.million_in, currency)}</td>
      <td className="number">{money(offer.million_out, currency)}</td>
      <td className="number">{money(offer.per_picture, currency)}</td>
      {mayRemove && (
        <td className="number">
          {remove.error && <Problem error={remove.error} />}
          {isAsking ? (
            <span className="row-actions">
              <Button small look="danger" busy={remove.isPending} onClick={() => remove.mutate({ path: { id: offer.id } })} data-testid={`remove-offer-${offer.id}-confirm`}>
                {t("offers.removeNow")}
              </Button>
              <Button small onClick={() => setAsking(false)}>
                {t("ui:cancel")}
              </Button>
            </span>
          ) : (
            <Button small onClick={() => setAsking(true)} aria-label={t("offers.removeOne", { model: offer.model, server: offer.server })} data-testid={`remove-offer-${offer.id}`}>
              {t("offers.remove")}
            </Button>
          )}
        </td>
      )}
    </tr>
  );
}
