/** Source, licence and other details for many pictures at once: only the fields that were changed are set. */
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Axis, Category, SessionTeam, UploadDetails } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import { SelectField, TextField } from "@/ui/Field";
import { AxisSelects } from "../AxisSelects";
import type { PictureRules } from "../protocol";
import { common, isWebAddress, missingCounts, siteOf, type DetailName } from "./details";
import type { Card } from "./cards";
import styles from "./intake.module.css";

interface Props {
  cards: readonly Card[];
  /** Whether these were chosen; otherwise they are all that is not added yet. */
  areChosen: boolean;
  rules: PictureRules;
  categories: readonly Category[];
  axes: readonly Axis[];
  /** The teams of the signed-in person. */
  teams: readonly SessionTeam[];
  /** The team that the address names; chosen from the start. */
  team: number | undefined;
  onApply: (touched: UploadDetails) => void;
}

const USES = {
  research: { research: true, commercial: false },
  both: { research: true, commercial: true },
  neither: { research: false, commercial: false },
} as const;
type Use = keyof typeof USES;

/** What the form shows and changes: what was just typed, else what all cards have in common. */
function useTouchedDetails(cards: readonly Card[], given: UploadDetails) {
  const { t } = useTranslation("images");
  const [touched, setTouched] = useState<UploadDetails>(given);
  const all = cards.map((card) => card.details);
  const isVarious = (field: DetailName) => touched[field] === undefined && common(all, field).various;
  return {
    touched,
    clear: () => setTouched({}),
    set: (part: UploadDetails) => setTouched((old) => ({ ...old, ...part })),
    value: <Name extends DetailName>(field: Name): UploadDetails[Name] => touched[field] ?? common(all, field).value,
    isVarious,
    empty: (field: DetailName) => (isVarious(field) ? t("intake.various") : t("intake.choose")),
    // While the sources differ, everything is offered that any of them asks for.
    sources: new Set(touched.source !== undefined ? [touched.source] : all.map((one) => one.source)),
    badUrl: touched.url !== undefined && touched.url.trim() !== "" && !isWebAddress(touched.url),
  };
}

interface FieldsProps {
  form: ReturnType<typeof useTouchedDetails>;
  rules: PictureRules;
}

export function DetailsForm({ cards, areChosen, rules, categories, axes, teams, team, onApply }: Props) {
  const { t } = useTranslation("images");
  const form = useTouchedDetails(cards, teams.length > 1 && teams.some(({ id }) => id === team) ? { team } : {});
  const isTouched = Object.keys(form.touched).length > 0;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isTouched || form.badUrl) return;
    onApply(form.touched);
    form.clear();
  };

  return (
    <form className="card form intake-form" onSubmit={submit} aria-labelledby="details-title" data-testid="details-form">
      <div>
        <h2 id="details-title">{areChosen ? t("intake.detailsChosen", { count: cards.length }) : t("intake.detailsAll", { count: cards.length })}</h2>
        <p className="tiny">{t("intake.detailsHint")}</p>
        <MissingCounts cards={cards} />
      </div>
      <SourceFields form={form} rules={rules} />
      <LicenceField form={form} rules={rules} />
      {categories.length > 0 && (
        <CategorySelect
          label={t("field.category")}
          categories={categories}
          value={form.value("category")}
          onChange={(category) => form.set({ category: category ?? "" })}
          placeholder={form.empty("category")}
          testId="category"
        />
      )}
      <AxisFields form={form} cards={cards} axes={axes} />
      {teams.length > 1 && <TeamField form={form} teams={teams} />}
      <ConsentFields form={form} rules={rules} />
      <Button type="submit" look="primary" disabled={!isTouched || form.badUrl || cards.length === 0} data-testid="apply-details">
        {t("intake.apply", { count: cards.length })}
      </Button>
    </form>
  );
}

function MissingCounts({ cards }: { cards: readonly Card[] }) {
  const { t } = useTranslation("images");
  const missing = missingCounts(cards.map((card) => card.missing));
  if (missing.length === 0) return null;
  return (
    <ul className={`chips ${styles.intakeMissing}`} aria-label={t("intake.missing")}>
      {missing.map(([field, count]) => (
        <li key={field}>
          <span className="chip chip-warn" data-testid={`missing-${field}`}>
            {t([`detail.${field}`, field])} <span className="number">{count}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Where the pictures come from and who made them. */
function SourceFields({ form, rules }: FieldsProps) {
  const { t } = useTranslation("images");
  const source = form.value("source");
  return (
    <>
      <SelectField
        label={t("field.source")}
        value={source ?? ""}
        onChange={(event) => {
          const next = rules.sources.find((one) => one === event.target.value);
          if (next) form.set({ source: next });
        }}
        data-testid="source"
      >
        <option value="">{form.empty("source")}</option>
        {rules.sources.map((one) => (
          <option key={one} value={one}>
            {t(`source.${one}`)}
          </option>
        ))}
      </SelectField>
      {form.sources.has("external") && <SiteFields form={form} rules={rules} />}
      <TextField
        label={t("field.author")}
        hint={form.isVarious("author") ? t("intake.various") : source === "own" ? t("intake.authorHint") : undefined}
        value={form.value("author") ?? ""}
        maxLength={200}
        onChange={(event) => form.set({ author: event.target.value })}
        data-testid="author"
      />
    </>
  );
}

/** The address of a picture from elsewhere, and the site it is on. */
function SiteFields({ form, rules }: FieldsProps) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  return (
    <>
      <TextField
        label={t("field.sourceUrl")}
        hint={form.isVarious("url") ? t("intake.various") : t("intake.sourceUrlHint")}
        wrong={form.badUrl ? t("intake.notAddress") : undefined}
        type="url"
        inputMode="url"
        value={form.value("url") ?? ""}
        onChange={(event) => {
          const site = form.touched.site === undefined ? siteOf(event.target.value, rules.sites) : undefined;
          form.set({ url: event.target.value, ...(site ? { site: site.code } : {}) });
        }}
        data-testid="source-url"
      />
      {rules.sites.length > 0 && (
        <SelectField
          label={t("field.site")}
          value={form.value("site") ?? ""}
          onChange={(event) => event.target.value !== "" && form.set({ site: event.target.value })}
          data-testid="site"
        >
          <option value="">{form.empty("site")}</option>
          {rules.sites.map((one) => (
            <option key={one.code} value={one.code}>
              {name(one.name)}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}

function LicenceField({ form, rules }: FieldsProps) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const site = rules.sites.find((one) => one.code === form.value("site"));
  const licences = site ? rules.licences.filter((licence) => site.licences.includes(licence.code)) : rules.licences;
  return (
    <SelectField
      label={t("field.licence")}
      value={form.value("licence") ?? ""}
      onChange={(event) => event.target.value !== "" && form.set({ licence: event.target.value })}
      data-testid="licence"
    >
      <option value="">{form.empty("licence")}</option>
      {licences.map((licence) => (
        <option key={licence.code} value={licence.code}>
          {name(licence.name)}
        </option>
      ))}
    </SelectField>
  );
}

/** Values of further dimensions; each is set alone. */
function AxisFields({ form, cards, axes }: { form: FieldsProps["form"]; cards: readonly Card[]; axes: readonly Axis[] }) {
  const { t } = useTranslation("images");
  const commonOf = (code: string) => common(cards.map((card) => ({ category: card.details.axes?.[code] ?? "" })), "category");
  const touched = (code: string) => form.touched.axes?.[code];
  return (
    <AxisSelects
      axes={axes}
      valueOf={(code) => touched(code) ?? commonOf(code).value}
      emptyOf={(code) => (touched(code) === undefined && commonOf(code).various ? t("intake.various") : t("intake.choose"))}
      onChange={(code, value) => form.set({ axes: { ...form.touched.axes, [code]: value } })}
      testId="axis"
    />
  );
}

/** The team that the pictures are for; only people in several teams choose one. */
function TeamField({ form, teams }: { form: FieldsProps["form"]; teams: readonly SessionTeam[] }) {
  const { t } = useTranslation("images");
  return (
    <SelectField
      label={t("field.team")}
      value={form.value("team") ?? ""}
      onChange={(event) => event.target.value !== "" && form.set({ team: Number(event.target.value) })}
      data-testid="team"
    >
      <option value="">{form.empty("team")}</option>
      {teams.map((team) => (
        <option key={team.id} value={team.id}>
          {team.name}
        </option>
      ))}
    </SelectField>
  );
}

/** What the person who made or gave the pictures allows. */
function ConsentFields({ form, rules }: FieldsProps) {
  const { t } = useTranslation("images");
  const isOwn = form.sources.has("own") || form.sources.has("donated");
  const uses = form.value("uses");
  const use = uses && (Object.keys(USES) as Use[]).find((one) => JSON.stringify(USES[one]) === JSON.stringify(uses));
  return (
    <>
      {isOwn && rules.uses === "ask" && (
        <SelectField
          label={t("field.uses")}
          value={use ?? ""}
          onChange={(event) => {
            if (event.target.value in USES) form.set({ uses: USES[event.target.value as Use] });
          }}
          data-testid="uses"
        >
          <option value="">{form.empty("uses")}</option>
          {(Object.keys(USES) as Use[]).map((one) => (
            <option key={one} value={one}>
              {t(`uses.${one}`)}
            </option>
          ))}
        </SelectField>
      )}
      {isOwn && rules.uses === "waive" && (
        <Tick label={t("field.waived")} value={form.value("waived")} onChange={(waived) => form.set({ waived })} testId="waived" />
      )}
      {form.sources.has("donated") && (
        <Tick
          label={t("field.donorConsent")}
          value={form.value("donor_consent")}
          onChange={(donor_consent) => form.set({ donor_consent })}
          testId="donor-consent"
        />
      )}
    </>
  );
}

function Tick({ label, value, onChange, testId }: { label: string; value: boolean | undefined; onChange: (value: boolean) => void; testId: string }) {
  return (
    <label className={styles.tick}>
      <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} data-testid={testId} />
      <span>{label}</span>
    </label>
  );
}
