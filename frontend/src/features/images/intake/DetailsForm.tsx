/** Source, licence and the rest, said of many pictures at once: only what is touched is set. */
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Category, UploadDetails } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { PickOne } from "@/ui/kit/PickOne";
import { categoryOptions } from "../categories";
import type { PictureRules } from "../protocol";
import { common, isWebAddress, missingCounts, siteOf, type DetailName } from "./details";
import type { Card } from "./cards";

interface Props {
  cards: readonly Card[];
  /** Whether these were chosen; otherwise they are all that is not taken in yet. */
  areChosen: boolean;
  rules: PictureRules;
  categories: readonly Category[];
  onApply: (touched: UploadDetails) => void;
}

const USES = {
  research: { research: true, commercial: false },
  both: { research: true, commercial: true },
  neither: { research: false, commercial: false },
} as const;
type Use = keyof typeof USES;

export function DetailsForm({ cards, areChosen, rules, categories, onApply }: Props) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const [touched, setTouched] = useState<UploadDetails>({});
  const all = cards.map((card) => card.details);
  const set = (part: UploadDetails) => setTouched((old) => ({ ...old, ...part }));

  /** What is in the field: what was just typed, else what all have in common. */
  function held<Name extends DetailName>(field: Name): UploadDetails[Name] {
    return touched[field] ?? common(all, field).value;
  }
  const isVarious = (field: DetailName) => touched[field] === undefined && common(all, field).various;
  const empty = (field: DetailName) => (isVarious(field) ? t("intake.various") : t("intake.choose"));

  const source = held("source");
  // While the sources differ, everything is offered that any of them asks for.
  const sources = new Set(touched.source !== undefined ? [touched.source] : all.map((one) => one.source));
  const site = rules.sites.find((one) => one.code === held("site"));
  const licences = site ? rules.licences.filter((licence) => site.licences.includes(licence.code)) : rules.licences;
  const isOwn = sources.has("own") || sources.has("donated");
  const uses = held("uses");
  const use = uses && (Object.keys(USES) as Use[]).find((one) => JSON.stringify(USES[one]) === JSON.stringify(uses));
  const missing = missingCounts(cards.map((card) => card.missing));
  const isTouched = Object.keys(touched).length > 0;
  const badUrl = touched.url !== undefined && touched.url.trim() !== "" && !isWebAddress(touched.url);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isTouched || badUrl) return;
    onApply(touched);
    setTouched({});
  };

  return (
    <form className="card form intake-form" onSubmit={submit} aria-labelledby="details-title" data-testid="details-form">
      <div>
        <h2 id="details-title">{areChosen ? t("intake.detailsChosen", { count: cards.length }) : t("intake.detailsAll", { count: cards.length })}</h2>
        <p className="tiny">{t("intake.detailsHint")}</p>
        {missing.length > 0 && (
          <ul className="chips intake-lacking" aria-label={t("intake.lacking")}>
            {missing.map(([field, count]) => (
              <li key={field}>
                <span className="chip chip-warn" data-testid={`lacking-${field}`}>
                  {t([`detail.${field}`, field])} <span className="number">{count}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <SelectField
        label={t("field.source")}
        value={source ?? ""}
        onChange={(event) => {
          const next = rules.sources.find((one) => one === event.target.value);
          if (next) set({ source: next });
        }}
        data-testid="source"
      >
        <option value="">{empty("source")}</option>
        {rules.sources.map((one) => (
          <option key={one} value={one}>
            {t(`source.${one}`)}
          </option>
        ))}
      </SelectField>
      {sources.has("external") && (
        <>
          <TextField
            label={t("field.sourceUrl")}
            hint={isVarious("url") ? t("intake.various") : t("intake.sourceUrlHint")}
            wrong={badUrl ? t("intake.notAddress") : undefined}
            type="url"
            inputMode="url"
            value={held("url") ?? ""}
            onChange={(event) => {
              const found = touched.site === undefined ? siteOf(event.target.value, rules.sites) : undefined;
              set({ url: event.target.value, ...(found ? { site: found.code } : {}) });
            }}
            data-testid="source-url"
          />
          {rules.sites.length > 0 && (
            <SelectField label={t("field.site")} value={held("site") ?? ""} onChange={(event) => event.target.value !== "" && set({ site: event.target.value })} data-testid="site">
              <option value="">{empty("site")}</option>
              {rules.sites.map((one) => (
                <option key={one.code} value={one.code}>
                  {name(one.name)}
                </option>
              ))}
            </SelectField>
          )}
        </>
      )}
      <TextField
        label={t("field.author")}
        hint={isVarious("author") ? t("intake.various") : source === "own" ? t("intake.authorHint") : undefined}
        value={held("author") ?? ""}
        maxLength={200}
        onChange={(event) => set({ author: event.target.value })}
        data-testid="author"
      />
      <SelectField label={t("field.licence")} value={held("licence") ?? ""} onChange={(event) => event.target.value !== "" && set({ licence: event.target.value })} data-testid="licence">
        <option value="">{empty("licence")}</option>
        {licences.map((licence) => (
          <option key={licence.code} value={licence.code}>
            {name(licence.name)}
          </option>
        ))}
      </SelectField>
      {categories.length > 0 && (
        <PickOne
          label={t("field.category")}
          value={held("category") ?? null}
          options={categoryOptions(categories, name)}
          onChange={(category) => set({ category: category ?? "" })}
          placeholder={empty("category")}
          testId="category"
        />
      )}
      {isOwn && rules.uses === "ask" && (
        <SelectField
          label={t("field.uses")}
          value={use ?? ""}
          onChange={(event) => {
            if (event.target.value in USES) set({ uses: USES[event.target.value as Use] });
          }}
          data-testid="uses"
        >
          <option value="">{empty("uses")}</option>
          {(Object.keys(USES) as Use[]).map((one) => (
            <option key={one} value={one}>
              {t(`uses.${one}`)}
            </option>
          ))}
        </SelectField>
      )}
      {isOwn && rules.uses === "waive" && <Tick label={t("field.waived")} value={held("waived")} onChange={(waived) => set({ waived })} testId="waived" />}
      {sources.has("donated") && (
        <Tick label={t("field.donorConsent")} value={held("donor_consent")} onChange={(donor_consent) => set({ donor_consent })} testId="donor-consent" />
      )}
      <Button type="submit" look="primary" disabled={!isTouched || badUrl || cards.length === 0} data-testid="apply-details">
        {t("intake.apply", { count: cards.length })}
      </Button>
    </form>
  );
}

function Tick({ label, value, onChange, testId }: { label: string; value: boolean | undefined; onChange: (value: boolean) => void; testId: string }) {
  return (
    <label className="tick">
      <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} data-testid={testId} />
      <span>{label}</span>
    </label>
  );
}
