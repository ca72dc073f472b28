/** The fields of the rule that packages are built by. */
import { useTranslation } from "react-i18next";
import { inProtocol, useBenchmark } from "@/api/benchmark";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import { SelectField, TextField } from "@/ui/Field";
import { MIXES, newSeed, type Mix, type RuleForm, type Wrong } from "./rule";
import styles from "./packages.module.css";

interface BuildFieldsProps {
  slug: string;
  kinds: readonly string[];
  form: RuleForm;
  wrong: readonly Wrong[];
  onChange: (part: Partial<RuleForm>) => void;
}

export function BuildFields({ slug, kinds, form, wrong, onChange }: BuildFieldsProps) {
  const { t } = useTranslation("packages");
  const protocol = useBenchmark(slug).data?.protocol.content;
  const usual = inProtocol(protocol, "kinds", form.kind, "package", "size") ?? inProtocol(protocol, "tracks", "package", "size");
  const errorOf = (field: Wrong) => (wrong.includes(field) ? t(`build.${field}Wrong`) : undefined);
  return (
    <>
      <div className="form-row">
        <SelectField label={t("build.kind")} value={form.kind} onChange={(event) => onChange({ kind: event.target.value })}>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`ui:kind.${kind}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t("build.size")}
          inputMode="numeric"
          placeholder={typeof usual === "number" ? String(usual) : ""}
          value={form.size}
          hint={typeof usual === "number" ? t("build.sizeHint", { size: usual }) : undefined}
          wrong={errorOf("size")}
          onChange={(event) => onChange({ size: event.target.value })}
          data-testid="build-size"
        />
        <TextField
          label={t("build.maximum")}
          inputMode="numeric"
          value={form.maximum}
          hint={t("build.maximumHint")}
          wrong={errorOf("maximum")}
          onChange={(event) => onChange({ maximum: event.target.value })}
          data-testid="build-maximum"
        />
      </div>
      <div className="form-row">
        <SelectField
          label={t("build.mix")}
          value={form.mix}
          hint={t(`build.mixHint.${form.mix}`)}
          onChange={(event) => onChange({ mix: event.target.value as Mix })}
          data-testid="build-mix"
        >
          {MIXES.map((mix) => (
            <option key={mix} value={mix}>
              {t(`build.mixName.${mix}`)}
            </option>
          ))}
        </SelectField>
        <div className={styles.buildSeed}>
          <TextField
            label={t("build.seed")}
            value={form.seed}
            inputMode="numeric"
            hint={t("build.seedHint")}
            wrong={errorOf("seed")}
            onChange={(event) => onChange({ seed: event.target.value })}
            data-testid="build-seed"
          />
          <Button onClick={() => onChange({ seed: String(newSeed()) })}>{t("build.again")}</Button>
        </div>
      </div>
      <CategoriesField slug={slug} chosen={form.categories} onChange={(categories) => onChange({ categories })} />
    </>
  );
}

/** Categories that the packages are limited to; chosen ones stay as chips. */
function CategoriesField({ slug, chosen, onChange }: { slug: string; chosen: readonly string[]; onChange: (slugs: readonly string[]) => void }) {
  const { t } = useTranslation("packages");
  const name = useLocalised();
  const categories = useBenchmark(slug).data?.categories ?? [];
  if (categories.length === 0) return null;
  return (
    <div>
      <CategorySelect
        label={t("build.categories")}
        value={undefined}
        placeholder={t("build.anyCategory")}
        hint={t("build.categoriesHint")}
        categories={categories.filter((category) => !chosen.includes(category.slug))}
        onChange={(category) => category !== undefined && onChange([...chosen, category])}
        testId="build-category"
      />
      {chosen.length > 0 && (
        <div className="chips">
          {chosen.map((category) => {
            const text = name(categories.find((one) => one.slug === category)?.name) || category;
            return (
              <button
                key={category}
                type="button"
                className="chip"
                aria-label={t("pick.remove", { name: text })}
                onClick={() => onChange(chosen.filter((one) => one !== category))}
              >
                {text} ✕
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
}
