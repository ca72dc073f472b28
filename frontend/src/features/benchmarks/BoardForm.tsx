/** Settings of the category board with which a benchmark starts: how many propose how much, in which semantic fields. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Problem } from "@/ui/Problem";
import styles from "./benchmarks.module.css";
import { emptyField, faultsOf, MOST_FIELDS, type BoardField, type BoardSettings } from "./boardSettings";

interface Props {
  /** The preset whose semantic fields are offered to begin with. */
  preset: string;
  settings: BoardSettings;
  onSettings: (settings: BoardSettings) => void;
  /** Whether to show what is wrong. */
  tried: boolean;
}

export function BoardForm({ preset, settings, onSettings, tried }: Props) {
  const { t } = useTranslation("benchmarks");
  const { fields } = settings;
  const offered = useRead("preset_show", { path: { preset } }, { staleTime: Infinity, enabled: fields.length === 0 });
  const start = offered.data?.fields;
  useEffect(() => {
    if (start && fields.length === 0) onSettings({ ...settings, fields: start.map((field) => ({ code: field.slug, name: field.name })) });
    // Only when they arrive: a person may remove them all.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [start]);
  const faults = tried ? faultsOf(settings) : [];
  const change = (place: number, field: BoardField) => onSettings({ ...settings, fields: fields.map((one, n) => (n === place ? field : one)) });
  const number = (name: "proposers" | "minimum" | "maximum", isWrong: boolean) => (
    <TextField
      label={t(`create.board.${name}`)}
      inputMode="numeric"
      value={settings[name]}
      maxLength={4}
      wrong={isWrong ? t(`create.board.${name}Wrong`) : undefined}
      onChange={(event) => onSettings({ ...settings, [name]: event.target.value })}
      data-testid={`board-${name}`}
    />
  );
  return (
    <fieldset className="form" data-testid="board-form">
      <legend>{t("create.board.title")}</legend>
      <p className="hint">{t("create.board.hint")}</p>
      <div className="form-row">
        {number("proposers", faults.includes("proposers"))}
        {number("minimum", faults.includes("span"))}
        {number("maximum", faults.includes("span"))}
      </div>
      {offered.error && <Problem error={offered.error} />}
      {fields.map((field, place) => (
        <div key={place} className={styles.boardField} data-testid={`board-field-${String(place)}`}>
          {LANGUAGES.map((language) => (
            <TextField
              key={language}
              label={t("create.board.field", { number: place + 1, language: LANGUAGE_NAMES[language] })}
              lang={language}
              value={field.name[language]}
              maxLength={120}
              wrong={faults.includes("name") && field.name[language].trim() === "" ? t("create.titleMissing") : undefined}
              onChange={(event) => change(place, { ...field, name: { ...field.name, [language]: event.target.value } })}
              data-testid={`board-field-${String(place)}-${language}`}
            />
          ))}
          <Button small aria-label={t("create.board.remove", { number: place + 1 })} onClick={() => onSettings({ ...settings, fields: fields.filter((_, n) => n !== place) })}>
            ×
          </Button>
        </div>
      ))}
      {faults.includes("fields") && <p className="wrong">{t("create.board.fieldsMissing")}</p>}
      {fields.length < MOST_FIELDS && (
        <Button small onClick={() => onSettings({ ...settings, fields: [...fields, emptyField()] })} data-testid="board-add-field">
          {t("create.board.add")}
        </Button>
      )}
    </fieldset>
  );
}
