/** A form for the numbers of a protocol that most teams change; what is typed goes into the text beside it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "@/ui/Field";
import { placeOf, valueAt, withSwitch, withValue } from "./numbers";

const NUMBERS = {
  size: ["tracks", "package", "size"],
  samplePercent: ["tracks", "package", "sample_percent"],
  passOverPercent: ["tracks", "package", "pass_over_percent"],
  itemsPerTeam: ["tracks", "peer", "items_per_team"],
  spotCheckPercent: ["tracks", "peer", "spot_check_percent"],
  minimum: ["images", "quota", "per_category_minimum"],
  target: ["images", "quota", "per_category_target"],
  train: ["release", "splits", "train"],
  valid: ["release", "splits", "valid"],
  test: ["release", "splits", "test"],
  submissions: ["evaluation", "submissions_per_day"],
} as const;
const NAMES = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
/** Whether colleagues' names are hidden, with the key below which it is added. */
const BLIND = [
  { track: "package", below: "size" },
  { track: "peer", below: "items_per_team" },
  { track: "panel", below: "people" },
] as const;

export function CommonNumbers({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { t } = useTranslation("benchmarks");
  const [open, setOpen] = useState(false);
  const written = NAMES.filter((name) => /^\d+$/.test(valueAt(text, NUMBERS[name]) ?? ""));
  const tracks = BLIND.filter(({ track, below }) => placeOf(text, ["tracks", track, below])?.indent != null);
  if (written.length === 0 && tracks.length === 0) return null;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} data-testid="common-numbers">
      <summary>{t("numbers.title")}</summary>
      <div className="form">
        <p className="tiny">{t("numbers.text")}</p>
        <div className="form-row">
          {written.map((name) => (
            <NumberField key={name} name={name} value={valueAt(text, NUMBERS[name]) ?? ""} onChange={(value) => onChange(withValue(text, NUMBERS[name], value))} />
          ))}
        </div>
        {tracks.map(({ track, below }) => {
          const path = ["tracks", track, "blind"];
          return (
            <label key={track} className="check">
              <input type="checkbox" checked={valueAt(text, path) === "true"} onChange={(event) => onChange(withSwitch(text, path, below, event.target.checked))} data-testid={`blind-${track}`} />{" "}
              {t(`numbers.blind.${track}`)}
            </label>
          );
        })}
      </div>
    </details>
  );
}

/** An emptied field changes nothing until a number is typed. */
function NumberField({ name, value, onChange }: { name: keyof typeof NUMBERS; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("benchmarks");
  const [isEmpty, setIsEmpty] = useState(false);
  return (
    <TextField
      label={t(`numbers.${name}`)}
      inputMode="numeric"
      maxLength={9}
      value={isEmpty ? "" : value}
      onChange={(event) => {
        const typed = event.target.value.replace(/\D/g, "");
        setIsEmpty(typed === "");
        if (typed !== "") onChange(typed);
      }}
      onBlur={() => setIsEmpty(false)}
      data-testid={`number-${name}`}
    />
  );
}
