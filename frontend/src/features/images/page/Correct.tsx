/** Corrects a category or a licence that was chosen wrongly when the picture was added. */
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
import type { PictureRules } from "../protocol";

interface Props {
  image: ImageDetail;
  rules: PictureRules;
  categories: Benchmark["categories"];
}

export function Correct({ image, rules, categories }: Props) {
  const { t } = useTranslation("images");
  const [isOpen, setIsOpen] = useState(false);
  if (!image.available_actions.includes("image_correct")) return null;
  if (isOpen) return <Form image={image} rules={rules} categories={categories} onDone={() => setIsOpen(false)} />;
  return (
    <Button small onClick={() => setIsOpen(true)} data-testid="correct">
      {t("correct.open")}
    </Button>
  );
}

function Form({ image, rules, categories, onDone }: Props & { onDone: () => void }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const [category, setCategory] = useState(image.category?.slug ?? "");
  const [licence, setLicence] = useState(image.licence);
  const write = useWrite("image_correct");
  // What is as it was is sent empty, which keeps it.
  const changed = {
    category: category === image.category?.slug ? "" : category,
    licence: licence === image.licence ? "" : licence,
  };
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
      <SelectField label={t("field.licence")} value={licence} onChange={(event) => setLicence(event.target.value)} data-testid="correct-licence">
        {!rules.licences.some(({ code }) => code === image.licence) && <option value={image.licence}>{image.licence}</option>}
        {rules.licences.map((one) => (
          <option key={one.code} value={one.code}>
            {name(one.name)}
          </option>
        ))}
      </SelectField>
      {write.error && <Problem error={write.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" disabled={changed.category === "" && changed.licence === ""} busy={write.isPending} data-testid="correct-send">
          {t("correct.send")}
        </Button>
        <Button look="plain" onClick={onDone}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}
