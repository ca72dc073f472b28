/** An owner's word: put a model on a model server under test. The server is one of those that the operator set up. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useRead, useWrite } from "@/api/queries";
import type { SystemDetail } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { hasPlaceholder, serverParametersIn } from "./serverParameters";
import styles from "./systems.module.css";

export function ServeForm({ of, onClose }: { of?: SystemDetail; onClose: () => void }) {
  const { t } = useTranslation("systems");
  const servers = useRead("model_server_list", {});
  return (
    <section className={`card ${styles.systemForm}`} aria-labelledby="serve" data-testid="serve-panel">
      <h2 id="serve">{t("serve.title")}</h2>
      <p className="dim">{t("serve.text")}</p>
      <Loaded of={servers}>
        {(rows) =>
          rows.length === 0 ? (
            <Notice
              tone="warn"
              action={
                <Button small onClick={onClose}>
                  {t("ui:close")}
                </Button>
              }
            >
              {t("serve.none")}
            </Notice>
          ) : (
            <Form names={rows.map((row) => row.name)} of={of} onClose={onClose} />
          )
        }
      </Loaded>
    </section>
  );
}

function Form({ names, of, onClose }: { names: readonly string[]; of: SystemDetail | undefined; onClose: () => void }) {
  const { t } = useTranslation("systems");
  const navigate = useNavigate();
  const before = serverParametersIn(of?.parameters);
  const [slug, setSlug] = useState(of?.slug ?? "");
  const [name, setName] = useState(of?.name ?? "");
  const [server, setServer] = useState(of !== undefined && names.includes(of.server) ? of.server : (names[0] ?? ""));
  const [model, setModel] = useState(before.model);
  const [template, setTemplate] = useState(before.text_template);
  const [pictureText, setPictureText] = useState(before.picture_text);
  const [dimensions, setDimensions] = useState(before.dimensions === null ? "" : String(before.dimensions));
  const [dtype, setDtype] = useState(before.dtype);
  const [licence, setLicence] = useState(of?.licence ?? "");
  const [normalise, setNormalise] = useState(before.normalise);
  const serve = useWrite("system_serve");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    const parameters = { model: model.trim(), text_template: template, picture_text: pictureText, normalise, dtype };
    serve.mutate(
      { body: { slug, name, server, ...parameters, dimensions: dimensions === "" ? null : Number(dimensions), licence } },
      {
        onSuccess: (system) => {
          onClose();
          void navigate(`/systems/${system.slug}`);
        },
      },
    );
  };
  const plain = { spellCheck: false, autoComplete: "off" } as const;
  return (
    <form className="form" onSubmit={onSubmit} data-testid="serve-form">
      <Notice tone="warn">{server === "" ? t("serve.dataSentAny") : t("serve.dataSent", { server })}</Notice>
      <SelectField label={t("serve.server")} value={server} onChange={(event) => setServer(event.target.value)} data-testid="serve-server">
        {names.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </SelectField>
      <TextField label={t("serve.name")} value={name} required maxLength={120} onChange={(event) => setName(event.target.value)} data-testid="serve-name" />
      <TextField
        label={t("serve.slug")}
        hint={t("serve.slugHint")}
        value={slug}
        required
        readOnly={of !== undefined}
        maxLength={64}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        onChange={(event) => setSlug(event.target.value)}
        data-testid="serve-slug"
        {...plain}
      />
      <TextField label={t("serve.model")} hint={t("serve.modelHint")} value={model} maxLength={200} onChange={(event) => setModel(event.target.value)} {...plain} />
      <TextField
        label={t("serve.textTemplate")}
        hint={t("serve.textTemplateHint")}
        wrong={hasPlaceholder(template) ? undefined : t("serve.noText")}
        value={template}
        maxLength={2000}
        onChange={(event) => setTemplate(event.target.value)}
        data-testid="serve-template"
        {...plain}
      />
      <TextField
        label={t("serve.pictureText")}
        hint={t("serve.pictureTextHint")}
        value={pictureText}
        maxLength={2000}
        onChange={(event) => setPictureText(event.target.value)}
        {...plain}
      />
      <TextField
        label={t("serve.dimensions")}
        hint={t("serve.dimensionsHint")}
        type="number"
        min={1}
        max={65536}
        value={dimensions}
        onChange={(event) => setDimensions(event.target.value)}
      />
      <TextField
        label={t("serve.dtype")}
        hint={t("serve.dtypeHint")}
        value={dtype}
        maxLength={32}
        pattern="[a-z0-9_]*"
        onChange={(event) => setDtype(event.target.value)}
        {...plain}
      />
      <TextField label={t("serve.licence")} value={licence} maxLength={64} onChange={(event) => setLicence(event.target.value)} />
      <label className={styles.systemCode}>
        <input type="checkbox" checked={normalise} onChange={(event) => setNormalise(event.target.checked)} />
        <span>{t("serve.normalise")}</span>
      </label>
      {serve.error && <Problem error={serve.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={serve.isPending} disabled={!hasPlaceholder(template)} data-testid="serve-confirm">
          {t("serve.confirm")}
        </Button>
        <Button look="plain" onClick={onClose}>
          {t("serve.cancel")}
        </Button>
      </div>
    </form>
  );
}
