/** Starts a run over an item set: which system, and how it is asked. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { Request } from "@/api/request";
import type { ItemSetDetail, System } from "@/api/types";
import { LANGUAGES } from "@/i18n/languages";
import { useLanguageName } from "@/i18n/languageName";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/Field";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import styles from "./sets.module.css";

const SCALES = ["4", "2", "1", "1/2", "1/4", "1/8"] as const;
/** What a system must be capable of to answer in each way. */
const CAPABILITIES: Readonly<Record<string, string>> = { text: "generate", likelihood: "likelihood", similarity: "embed" };

export function StartSetRun({ set, onClose }: { set: ItemSetDetail; onClose: () => void }) {
  const { t } = useTranslation("sets");
  const systems = useRead("system_list", {});
  return (
    <section className={`card ${styles.new}`} aria-labelledby="start-set-run-title" data-testid="start-set-panel">
      <h2 id="start-set-run-title">{t("start.title")}</h2>
      <p className="dim">{t("start.text")}</p>
      <Loaded of={systems}>{(all) => <Form set={set} systems={all} onClose={onClose} />}</Loaded>
    </section>
  );
}

function Form({ set, systems, onClose }: { set: ItemSetDetail; systems: readonly System[]; onClose: () => void }) {
  const { t } = useTranslation("sets");
  const slug = useSlug();
  const navigate = useNavigate();
  const language = useLanguageName();
  const [chosen, setChosen] = useState({ system: "", setting: "", means: "", language: "", side: "", scale: "1", picture: true });
  const change = (values: Partial<typeof chosen>) => setChosen({ ...chosen, ...values });
  const start = useWrite("set_run_start");
  const { settings } = set.asks;
  const setting = settings.find(({ name }) => name === chosen.setting) ?? settings[0];
  const meansOf = (system: System) => (setting?.means ?? []).filter((means) => system.capabilities.includes(CAPABILITIES[means] ?? ""));
  const able = systems.filter((system) => system.state === "ready" && meansOf(system).length > 0);
  const system = able.find((one) => one.slug === chosen.system) ?? able[0];
  if (setting === undefined) return null;
  if (system === undefined) {
    return (
      <Notice tone="warn" action={<Button small onClick={onClose}>{t("ui:close")}</Button>}>
        {t("start.noSystem")}
        <Gap />
        <Link to="/systems">{t("start.toSystems")}</Link>
      </Notice>
    );
  }
  const means = meansOf(system).find((one) => one === chosen.means) ?? meansOf(system)[0];
  const languages = LANGUAGES.filter((one) => setting.prompts.every((prompt) => prompt.languages.includes(one)));
  const side = set.sides.find((one) => one === chosen.side) ?? set.sides[0];
  const usual = side === "en" ? "en" : set.asks.language;
  const promptLanguage = languages.find((one) => one === chosen.language) ?? languages.find((one) => one === usual) ?? languages[0];
  const isPictureNeeded = means === "similarity";
  const picture = isPictureNeeded || chosen.picture;
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    // The choices are the server's own, which describes them as texts.
    const body = { system: system.slug, setting: setting.name, means, language: promptLanguage, side, picture, scale: picture ? chosen.scale : "1" } as Request<"set_run_start">["body"];
    start.mutate(
      { path: { id: set.id }, body },
      {
        onSuccess: (run) => {
          toasts.show(t("start.done", { name: run.system.name }));
          void navigate(`/b/${slug}/runs/${run.id}`);
        },
      },
    );
  };
  const choice = (name: "setting" | "means" | "language" | "side", value: string | undefined, options: readonly string[], text: (one: string) => string) =>
    options.length > 1 && (
      <SelectField label={t(`start.${name}`)} value={value} onChange={(event) => change({ [name]: event.target.value })} data-testid={`set-run-${name}`}>
        {options.map((one) => (
          <option key={one} value={one}>
            {text(one)}
          </option>
        ))}
      </SelectField>
    );
  return (
    <form className="form" onSubmit={onSubmit}>
      <div className="form-row">
        <SelectField
          label={t("start.system")}
          hint={system.is_demo ? t("runs:demoText") : undefined}
          value={system.slug}
          onChange={(event) => change({ system: event.target.value })}
          data-testid="set-run-system"
        >
          {able.map((one) => (
            <option key={one.slug} value={one.slug}>
              {one.name}
            </option>
          ))}
        </SelectField>
        {choice("setting", setting.name, settings.map(({ name }) => name), (one) => t(`setting.${one}`))}
        {choice("means", means, meansOf(system), (one) => t(`means.${one}`))}
        {choice("side", side, set.sides, (one) => t(`side.${one}`, { language: language("en") }))}
        {/* Similarity compares the picture with the options alone, without a prompt. */}
        {choice("language", promptLanguage, isPictureNeeded ? [] : languages, language)}
        <SelectField
          label={t("start.picture")}
          value={picture ? chosen.scale : "none"}
          onChange={(event) => change(event.target.value === "none" ? { picture: false } : { picture: true, scale: event.target.value })}
          data-testid="set-run-picture"
        >
          {SCALES.map((one) => (
            <option key={one} value={one}>
              {t(one === "1" ? "picture.plain" : "picture.scaled", { scale: one })}
            </option>
          ))}
          {!isPictureNeeded && <option value="none">{t("picture.none")}</option>}
        </SelectField>
      </div>
      {system.server !== "" && <Notice tone="warn">{t("start.dataSent", { server: system.server })}</Notice>}
      {start.error && <Problem error={start.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={start.isPending} data-testid="set-run-confirm">
          {t("start.confirm")}
        </Button>
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
