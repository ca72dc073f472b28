/** Corrects a category or a licence that was chosen wrongly when the picture was added, or its subset. */
import { useState, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Benchmark, ImageDetail } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { CategorySelect } from "@/ui/CategorySelect";
import { SelectField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { AxisSelects } from "../AxisSelects";
import { CountFields } from "../grid/CountFields";
import { countsOf, faultsIn, typedOf, type Typed } from "../grid/counts";
import { COUNTS, type PictureRules } from "../protocol";

interface Props {
  image: ImageDetail;
  rules: PictureRules;
  categories: Benchmark["categories"];
  axes: Benchmark["axes"];
}

export function Correct({ image, rules, categories, axes }: Props) {
  const { t } = useTranslation("images");
  const [isOpen, setIsOpen] = useState(false);
  if (!image.available_actions.includes("image_correct")) return null;
  if (isOpen) return <Form image={image} rules={rules} categories={categories} axes={axes} onDone={() => setIsOpen(false)} />;
  return (
    <Button small onClick={() => setIsOpen(true)} data-testid="correct">
      {t("correct.open")}
    </Button>
  );
}

function Form({ image, rules, categories, axes, onDone }: Props & { onDone: () => void }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const [category, setCategory] = useState(image.category?.slug ?? "");
  const [licence, setLicence] = useState(image.licence);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(image.axes);
  const [subset, setSubset] = useState(image.subset);
  const [typed, setTyped] = useState<Typed>(() => typedOf(image.objects));
  const write = useWrite("image_correct");
  const chosen = rules.subsets.find((one) => one.code === subset);
  const faults = chosen ? faultsIn(typed, chosen) : [];
  const counted = chosen ? countsOf(typed) : null;
  const isCounted = counted !== null && (subset !== image.subset || COUNTS.some((count) => counted[count] !== (image.objects?.[count] ?? null)));
  // What is as it was is sent empty, which keeps it.
  const changed = {
    category: category === image.category?.slug ? "" : category,
    licence: licence === image.licence ? "" : licence,
    subset: subset === image.subset ? "" : subset,
    objects: isCounted ? counted : null,
    axes: Object.fromEntries(Object.entries(values).filter(([code, value]) => value !== (image.axes[code] ?? ""))),
  };
  const isChanged = changed.category !== "" || changed.licence !== "" || changed.subset !== "" || changed.objects !== null || Object.keys(changed.axes).length > 0;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    write.mutate(
      { path: { id: image.id }, body: changed },
      {
        onSuccess: () => {
          toasts.show(t("correct.done", { label: image.label }));
          onDone();
        },
      },
    );
  };
  return (
    <form className="form" onSubmit={submit} data-testid="correct-form">
      <p className="tiny">{t("correct.text")}</p>
      <CategorySelect
        label={t("field.category")}
        categories={categories}
        value={category === "" ? undefined : category}
        onChange={(slug) => setCategory(slug ?? "")}
        placeholder={t("intake.choose")}
        testId="correct-category"
      />
      <AxisSelects axes={axes} valueOf={(code) => values[code]} emptyOf={() => t("ui:none")} onChange={(code, value) => setValues({ ...values, [code]: value })} testId="correct-axis" />
      <SelectField label={t("field.licence")} value={licence} onChange={(event) => setLicence(event.target.value)} data-testid="correct-licence">
        {!rules.licences.some(({ code }) => code === image.licence) && <option value={image.licence}>{image.licence}</option>}
        {rules.licences.map((one) => (
          <option key={one.code} value={one.code}>
            {name(one.name)}
          </option>
        ))}
      </SelectField>
      {rules.subsets.length > 0 && (
        <SelectField label={t("field.subset")} value={subset} onChange={(event) => setSubset(event.target.value)} data-testid="correct-subset">
          {image.subset === "" && <option value="">{t("ui:none")}</option>}
          {rules.subsets.map((one) => (
            <option key={one.code} value={one.code}>
              {name(one.name)}
            </option>
          ))}
        </SelectField>
      )}
      {chosen && <CountFields subset={chosen} typed={typed} faults={faults} tried={subset !== image.subset} onChange={setTyped} />}
      {write.error && <Problem error={write.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" disabled={!isChanged || (isCounted && faults.length > 0)} busy={write.isPending} data-testid="correct-send">
          {t("correct.send")}
        </Button>
        <Button look="plain" onClick={onDone}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}
