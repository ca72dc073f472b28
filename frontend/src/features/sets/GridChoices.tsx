/** Check boxes for each part of a setting; where none is ticked, the usual choice holds. */
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ItemSetDetail, System } from "@/api/types";
import { useLanguageName } from "@/i18n/languageName";
import { SelectField, TextField } from "@/ui/Field";
import type { Dimension, Grid, Options } from "./grid";
import { NO_PICTURE } from "./grid";
import styles from "./sets.module.css";

const MOST_SEED = 2 ** 31 - 1;

interface ChoicesProps<Value extends string | number> {
  name: Dimension;
  options: readonly Value[];
  chosen: readonly Value[];
  text: (one: Value) => ReactNode;
  onChange: (chosen: Value[]) => void;
  /** What holds where none is ticked. */
  hint?: string | undefined;
}

function Choices<Value extends string | number>({ name, options, chosen, text, onChange, hint }: ChoicesProps<Value>) {
  const { t } = useTranslation("sets");
  const id = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={hint === undefined ? undefined : id} data-testid={`grid-${name}`}>
      <legend className="label">{t(`start.${name}`)}</legend>
      {options.map((one) => (
        <label key={one} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(one)}
            onChange={(event) => onChange(event.target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))}
            data-testid={`grid-${name}-${one}`}
          />{" "}
          {text(one)}
        </label>
      ))}
      {hint !== undefined && (
        <p className="hint" id={id}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}

interface GridChoicesProps {
  set: ItemSetDetail;
  systems: readonly System[];
  grid: Grid;
  options: Options;
  onChange: (part: Partial<Grid>) => void;
}

export function GridChoices({ set, systems, grid, options, onChange }: GridChoicesProps) {
  const { t } = useTranslation("sets");
  const language = useLanguageName();
  const name = (slug: string) => systems.find((one) => one.slug === slug)?.name ?? slug;
  const choices = (of: "settings" | "means" | "sides" | "languages" | "pictures", text: (one: string) => string, hint?: string) =>
    options[of].length > 1 && (
      <Choices name={of} options={options[of]} chosen={grid[of]} text={text} onChange={(chosen) => onChange({ [of]: chosen })} hint={hint} />
    );
  return (
    <div className={styles.grid}>
      <Choices name="systems" options={systems.map(({ slug }) => slug)} chosen={grid.systems} text={name} onChange={(chosen) => onChange({ systems: chosen })} />
      {choices("settings", (one) => t(`setting.${one}`))}
      {choices("means", (one) => t(`means.${one}`), t("start.usualMeans"))}
      {choices("sides", (one) => t(`side.${one}`, { language: language("en") }))}
      {choices("languages", language, t("start.usualLanguage"))}
      {options.prompts.length > 1 && (
        <Choices name="prompts" options={options.prompts} chosen={grid.prompts} text={(no) => t("start.version", { no })} onChange={(chosen) => onChange({ prompts: chosen })} hint={t("start.usualPrompt")} />
      )}
      {choices("pictures", (one) => (one === NO_PICTURE ? t("picture.none") : one === "1" ? t("picture.plain") : t("picture.scaled", { scale: one })))}
      {options.shots.length > 0 && (
        <Choices name="shots" options={options.shots} chosen={grid.shots} text={(count) => (count === 0 ? t("start.noExamples") : t("start.examples", { count }))} onChange={(chosen) => onChange({ shots: chosen })} />
      )}
      {options.shots.length > 0 && grid.shots.some((count) => count > 0) && <ExamplesFrom sets={set.examples} grid={grid} onChange={onChange} />}
    </div>
  );
}

interface ExamplesFromProps {
  sets: ItemSetDetail["examples"];
  grid: Grid;
  onChange: (part: Partial<Grid>) => void;
}

/** From which set examples are drawn, and by which seed. */
function ExamplesFrom({ sets, grid, onChange }: ExamplesFromProps) {
  const { t } = useTranslation("sets");
  return (
    <div>
      <SelectField
        label={t("start.examplesFrom")}
        hint={t("start.examplesHint")}
        value={grid.examples ?? ""}
        onChange={(event) => onChange({ examples: Number(event.target.value) })}
        data-testid="grid-examples"
      >
        {sets.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t("start.seed")}
        type="number"
        min={0}
        max={MOST_SEED}
        value={grid.seed}
        onChange={(event) => {
          const seed = event.target.valueAsNumber;
          if (Number.isInteger(seed) && seed >= 0 && seed <= MOST_SEED) onChange({ seed });
        }}
        data-testid="grid-seed"
      />
    </div>
  );
}
