/** Sends the rendering to an offered model: its price first, then its reply. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useRead, useWrite } from "@/api/queries";
import type { AnswerPrice, OfferRow, PromptPreview, PromptVersionAnswer } from "@/api/types";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/Field";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { TrialReply } from "./TrialReply";
import { useTrial } from "./useTrial";
import styles from "./prompts.module.css";

/** Tokens of the longest reply to choose from; the price counts all of them. */
const LENGTHS = [128, 512, 2048, 4096];

interface TryModelProps {
  slug: string;
  /** The version, the changed text and the item, as the rendering names them. */
  choice: { name: string; language: PromptVersionAnswer["language"]; no: number; text?: string; item?: number; part: number; side: string };
  preview: PromptPreview;
}

export function TryModel({ slug, choice, preview }: TryModelProps) {
  const { t } = useTranslation("prompts");
  const spending = useRead("spending_show", { path: { b: slug } });
  return (
    <section className={styles.try} aria-labelledby="try">
      <h2 id="try">{t("try.title")}</h2>
      {choice.item === undefined || preview.missing.length > 0 ? (
        <p className="dim" data-testid="try-needs-item">
          {t("try.needsItem")}
        </p>
      ) : (
        <Loaded of={spending}>
          {({ offers }) => {
            const open = offers.filter((offer) => offer.configured);
            return open.length === 0 ? (
              <p className="dim">{t("try.noModels")}</p>
            ) : (
              <TryForm slug={slug} choice={{ ...choice, item: choice.item ?? 0 }} offers={open} hasPicture={hasPicture(preview)} />
            );
          }}
        </Loaded>
      )}
    </section>
  );
}

function hasPicture(preview: PromptPreview): boolean {
  return preview.messages.some((message) => message.parts.some((part) => part.text === null));
}

interface TryFormProps {
  slug: string;
  choice: TryModelProps["choice"] & { item: number };
  offers: readonly OfferRow[];
  hasPicture: boolean;
}

function TryForm({ slug, choice, offers, hasPicture }: TryFormProps) {
  const { t } = useTranslation("prompts");
  const [chosen, setChosen] = useState({ offer: 0, picture: true, tokens: 512 });
  const trial = useTrial();
  // What was sent on this visit, to tell whether the same would be sent again.
  const [sent, setSent] = useState<string | null>(null);
  const offer = offers.find((one) => one.id === chosen.offer) ?? offers[0];
  const { server = "", model = "" } = offer ?? {};
  const body = { ...choice, server, model, picture: chosen.picture, max_tokens: chosen.tokens };
  // The price of an earlier choice is never shown beside this one.
  const price = useRead("answer_price", { path: { b: slug }, body });
  const send = useWrite("answer_try");
  const problem = price.error ?? send.error;
  const change = (part: Partial<typeof chosen>) => {
    send.reset();
    setChosen({ ...chosen, ...part });
  };
  const isSame = sent === null || sent === JSON.stringify(body);
  const start = () => {
    setSent(JSON.stringify(body));
    send.mutate({ path: { b: slug }, body }, { onSuccess: (started) => trial.show(started.id) });
  };
  return (
    <>
      <div className={styles.chooser}>
        <SelectField label={t("try.model")} value={offer?.id} onChange={(event) => change({ offer: Number(event.target.value) })} data-testid="try-model">
          {offers.map((one) => (
            <option key={one.id} value={one.id}>
              {one.model} · {one.server}
            </option>
          ))}
        </SelectField>
        <SelectField label={t("try.longest")} value={chosen.tokens} onChange={(event) => change({ tokens: Number(event.target.value) })} data-testid="try-tokens">
          {LENGTHS.map((length) => (
            <option key={length} value={length}>
              {t("try.tokens", { count: length })}
            </option>
          ))}
        </SelectField>
        {hasPicture && (
          <label className="check">
            <input type="checkbox" checked={chosen.picture} onChange={(event) => change({ picture: event.target.checked })} data-testid="try-picture" />
            {t("try.picture")}
          </label>
        )}
      </div>
      {problem && <Problem error={problem} />}
      {price.data && price.error === null && (
        <div className={styles.price}>
          <Price slug={slug} price={price.data} />
          {price.data.covered && (
            <Button look="primary" busy={send.isPending || (trial.isWaiting && isSame)} onClick={start} data-testid="try-send">
              {t("try.send")}
            </Button>
          )}
        </div>
      )}
      {trial.id !== undefined && <TrialReply key={trial.id} slug={slug} of={trial.of} isNew={sent !== null} />}
    </>
  );
}

function Price({ slug, price }: { slug: string; price: AnswerPrice }) {
  const { t } = useTranslation("prompts");
  if (price.currency === null) return <span data-testid="try-price">{t("try.free")}</span>;
  const { estimate, currency } = price;
  if (price.covered)
    return (
      <span className="number" data-testid="try-price">
        {t("try.atMost", { estimate, currency })} <span className="dim">{t("try.left", { left: price.left, currency })}</span>
        <span className={`tiny ${styles.hint}`}>{t("try.reserving")}</span>
      </span>
    );
  return (
    <Notice tone="warn">
      <span data-testid="try-price">{t(price.left === null ? "try.noBudget" : "try.short", { estimate, currency, left: price.left })}</span>{" "}
      <Link to={`/b/${slug}/spending`}>{t("try.budget")}</Link>
    </Notice>
  );
}
