/** The fields of a judge's form beside `pass`: a scale, a level, labels or a text. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useLocalised } from "@/i18n/localised";
import type { FormField } from "@/api/types";
import { namedFields, type NamedField, type Values } from "./form";
import styles from "../quality.module.css";

interface FormFieldsProps {
  form: readonly FormField[];
  values: Values;
  /** Codes of the required fields that were left out. */
  missing: ReadonlySet<string>;
  /** Language of texts: a BCP 47 tag. */
  lang: string;
  onChange: (code: string, value: unknown) => void;
}

export function FormFields({ form, missing, ...rest }: FormFieldsProps) {
  const { t } = useTranslation("quality");
  const name = useLocalised();
  return namedFields(form).map((field) => (
    <fieldset key={field.code} className={styles.judgeField} data-testid={`field-${field.code}`}>
      <legend>
        {name(field.name)}
        {field.required !== true && <span className="faint"> {t("panel.optional")}</span>}
      </legend>
      <Input field={field} {...rest} />
      <p className={styles.judgeMissing} role="alert">
        {missing.has(field.code) && t("panel.missing", { field: name(field.name) })}
      </p>
    </fieldset>
  ));
}

function Input({ field, values, lang, onChange }: Omit<FormFieldsProps, "form" | "missing"> & { field: NamedField }) {
  const name = useLocalised();
  const group = useId();
  const value = values[field.code];
  if (field.type === "text") {
    return (
      <textarea
        className="input"
        rows={2}
        lang={lang}
        aria-label={name(field.name)}
        maxLength={field.longest}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => onChange(field.code, event.target.value)}
      />
    );
  }
  if (field.type === "labels") {
    const chosen: unknown[] = Array.isArray(value) ? value : [];
    return (
      <div className={styles.judgeChoices}>
        {(field.options ?? []).map(({ code, name: text }) => (
          <label key={code}>
            <input
              type="checkbox"
              checked={chosen.includes(code)}
              onChange={() => onChange(field.code, chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code])}
              data-testid={`option-${code}`}
            />
            {name(text)}
          </label>
        ))}
      </div>
    );
  }
  const { minimum = 0, maximum = 0 } = field;
  const options =
    field.type === "scale"
      ? Array.from({ length: maximum - minimum + 1 }, (_, i) => ({ value: minimum + i, text: String(minimum + i) }))
      : (field.options ?? []).map(({ code, name: text }) => ({ value: code, text: name(text) }));
  return (
    <div className={styles.judgeChoices}>
      {options.map((option) => (
        <label key={option.text}>
          <input
            type="radio"
            name={group}
            checked={value === option.value}
            onChange={() => onChange(field.code, option.value)}
            data-testid={`option-${String(option.value)}`}
          />
          {option.text}
        </label>
      ))}
    </div>
  );
}
