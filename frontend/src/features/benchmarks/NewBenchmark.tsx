import { useQueryClient } from "@tanstack/react-query";
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { newClientKey } from "@/api/client";
import { useRead, useWrite } from "@/api/queries";
import type { Localised, Preset } from "@/api/types";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { isSlug, slugFrom } from "./slug";
import "./benchmarks.css";

export function NewBenchmark() {
  const { t } = useTranslation("benchmarks");
  const presets = useRead("preset_list", {}, { staleTime: Infinity });
  return (
    <Page title={t("new")} lead={t("create.lead")} narrow>
      <Answered of={presets}>{(list) => <Form presets={list} />}</Answered>
    </Page>
  );
}

function Form({ presets }: { presets: readonly Preset[] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = useWrite("benchmark_create", ["session_show", "benchmark_list"]);
  const [preset, setPreset] = useState(presets[0]?.name ?? "");
  const [title, setTitle] = useState<Localised>({ "zh-Hans": "", "zh-Hant": "", en: "" });
  const [slug, setSlug] = useState<string | null>(null);
  const [key, setKey] = useState(newClientKey);
  const [tried, setTried] = useState(false);

  const shownSlug = slug ?? slugFrom(title.en);
  const missing = LANGUAGES.filter((language) => title[language].trim() === "");
  const slugWrong = tried && !isSlug(shownSlug) ? t("create.slugWrong") : undefined;

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing.length > 0 || !isSlug(shownSlug) || preset === "") return;
    create.mutate(
      { body: { slug: shownSlug, title, preset, client_key: key } },
      {
        onSuccess: (made) => {
          // The session holds the roles, so the new benchmark's pages need it fresh.
          void client.invalidateQueries({ queryKey: ["session_show"] }).then(() => navigate(`/b/${made.slug}`));
        },
        onError: (error) => {
          // Refused means nothing was made; what is changed and sent again is another request.
          if (!error.isPassing) setKey(newClientKey());
        },
      },
    );
  };

  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <fieldset className="presets">
        <legend>{t("create.preset")}</legend>
        {presets.map((one) => (
          <label key={one.name} className="preset">
            <input type="radio" name="preset" value={one.name} checked={preset === one.name} onChange={() => setPreset(one.name)} data-testid={`preset-${one.name}`} />
            <b>{name(one.title)}</b>
            <p>{name(one.summary)}</p>
          </label>
        ))}
      </fieldset>
      <div className="form-row">
        {LANGUAGES.map((language) => (
          <TextField
            key={language}
            label={t("create.title", { language: LANGUAGE_NAMES[language] })}
            lang={language}
            value={title[language]}
            maxLength={120}
            onChange={(event) => setTitle({ ...title, [language]: event.target.value })}
            wrong={tried && missing.includes(language) ? t("create.titleMissing") : undefined}
            data-testid={`title-${language}`}
          />
        ))}
      </div>
      <TextField
        label={t("create.slug")}
        hint={t("create.slugHint", { address: `/b/${shownSlug === "" ? "…" : shownSlug}` })}
        wrong={slugWrong}
        value={shownSlug}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setSlug(event.target.value)}
        data-testid="slug"
      />
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={create.isPending} data-testid="create-benchmark">
          {t("create.go")}
        </Button>
        <ButtonLink to="/benchmarks">{t("ui:cancel")}</ButtonLink>
      </div>
    </form>
  );
}
