/** What may be set of a draft: the seed, where its pictures get their splits, and notes for the readers of its card. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ReleaseDetail } from "@/api/types";
import { TextField } from "@/ui/Field";
import styles from "./releases.module.css";

export interface Settings {
  seed: string;
  splitsFrom: ReleaseDetail["splits_from"];
  notes: string;
}

const CHOICES = ["earlier", "anew"] as const satisfies readonly ReleaseDetail["splits_from"][];

/** Longer notes belong into the documentation of the data set. */
const NOTES_LENGTH = 4000;

/** The server keeps seeds in 64 bits; 18 digits always fit. Left empty, it chooses one. */
export function isSeed(written: string): boolean {
  return /^\d{0,18}$/.test(written.trim());
}

export function SettingsFields({ settings, onChange, isNew = false }: { settings: Settings; onChange: (settings: Settings) => void; isNew?: boolean }) {
  const { t } = useTranslation("releases");
  const id = useId();
  return (
    <>
      <fieldset className={styles.splitChoices}>
        <legend>{t("settings.splitsFrom")}</legend>
        {CHOICES.map((choice) => (
          <label key={choice} className={styles.splitChoice}>
            <input
              type="radio"
              name={`${id}-splits`}
              value={choice}
              checked={settings.splitsFrom === choice}
              onChange={() => onChange({ ...settings, splitsFrom: choice })}
              data-testid={`splits-${choice}`}
            />
            <span>
              <b>{t(`settings.splitsFromChoice.${choice}`)}</b>
              <span className="dim">{t(`settings.splitsFromText.${choice}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextField
        label={t("settings.seed")}
        inputMode="numeric"
        autoComplete="off"
        value={settings.seed}
        hint={t(isNew ? "settings.seedNew" : "settings.seedHint")}
        wrong={isSeed(settings.seed) && (isNew || settings.seed.trim() !== "") ? undefined : t("settings.seedWrong")}
        onChange={(event) => onChange({ ...settings, seed: event.target.value })}
        data-testid="release-seed"
      />
      <div className="field">
        <label className="label" htmlFor={`${id}-notes`}>
          {t("settings.notes")}
        </label>
        <textarea
          id={`${id}-notes`}
          className="input"
          rows={3}
          maxLength={NOTES_LENGTH}
          value={settings.notes}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange({ ...settings, notes: event.target.value })}
          data-testid="release-notes"
        />
        <p className="hint" id={`${id}-hint`}>
          {t("settings.notesHint")}
        </p>
      </div>
    </>
  );
}
