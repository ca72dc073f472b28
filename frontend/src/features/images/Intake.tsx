import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol, reasonsIn, useBenchmark, useSlug } from "@/api/benchmark";
import type { Benchmark } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { PickOne } from "@/ui/kit/PickOne";
import { Page } from "@/ui/Page";
import { intakeActions } from "./intakeActions";
import { UploadCard } from "./UploadCard";
import { uploadsOf } from "./uploadsOf";
import { missingFields, picturesIn, type SharedFields } from "./uploads";
import { categoryOptions } from "./categories";
import "./images.css";

export function Intake() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  return (
    <Page title={t("intake.title")} lead={t("intake.lead")} actions={<ButtonLink to={`/b/${slug}/pictures`}>{t("intake.toGrid")}</ButtonLink>}>
      <Answered of={benchmark}>{(data) => <Form benchmark={data} />}</Answered>
    </Page>
  );
}

function Form({ benchmark }: { benchmark: Benchmark }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const format = useFormat();
  const client = useQueryClient();
  const uploads = uploadsOf(benchmark.slug, client);
  const list = useSyncExternalStore(uploads.subscribe, uploads.snapshot);
  const [fields, setFields] = useState<SharedFields>({ source: "own", sourceUrl: "", author: "", licence: "", category: "" });
  const [tried, setTried] = useState(false);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const licences = reasonsIn(benchmark.protocol.content, "images", "licences");
  const formats = (inProtocol(benchmark.protocol.content, "images", "formats") ?? []) as string[];
  const largest = inProtocol(benchmark.protocol.content, "images", "bytes", "maximum");
  const missing = missingFields(fields);
  const wrong = (field: keyof SharedFields) => (tried && missing.includes(field) ? t(`intake.missing.${field}`) : undefined);
  const ready = list.filter((upload) => upload.state === "ready").length;
  const done = list.filter((upload) => upload.state === "done").length;
  const refused = list.filter((upload) => upload.state === "refused" || upload.state === "failed").length;

  const start = () => {
    setTried(true);
    if (missing.length === 0) uploads.start(fields);
  };
  useActions(intakeActions, { ready, start, choose: () => input.current?.click() });
  usePaste((files) => uploads.add(files));
  useWarnOnLeave(() => uploads.isBusy);

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    uploads.add(picturesIn(event.dataTransfer));
  };

  return (
    <div className="intake">
      <section className="card form" aria-labelledby="shared">
        <div>
          <h2 id="shared">{t("intake.shared")}</h2>
          <p className="tiny">{t("intake.sharedHint")}</p>
        </div>
        <SelectField
          label={t("field.source")}
          value={fields.source}
          onChange={(event) => setFields({ ...fields, source: event.target.value === "external" ? "external" : "own" })}
          data-testid="source"
        >
          <option value="own">{t("source.own")}</option>
          <option value="external">{t("source.external")}</option>
        </SelectField>
        {fields.source === "external" && (
          <TextField
            label={t("field.sourceUrl")}
            hint={t("intake.sourceUrlHint")}
            type="url"
            value={fields.sourceUrl}
            onChange={(event) => setFields({ ...fields, sourceUrl: event.target.value })}
            wrong={wrong("sourceUrl")}
            data-testid="source-url"
          />
        )}
        <TextField
          label={t("field.author")}
          hint={fields.source === "own" ? t("intake.authorHint") : undefined}
          value={fields.author}
          maxLength={200}
          onChange={(event) => setFields({ ...fields, author: event.target.value })}
          wrong={wrong("author")}
          data-testid="author"
        />
        <SelectField
          label={t("field.licence")}
          value={fields.licence}
          onChange={(event) => setFields({ ...fields, licence: event.target.value })}
          wrong={wrong("licence")}
          data-testid="licence"
        >
          <option value="">{t("intake.choose")}</option>
          {licences.map((licence) => (
            <option key={licence.code} value={licence.code}>
              {name(licence.name)}
            </option>
          ))}
        </SelectField>
        <PickOne
          label={t("field.category")}
          value={fields.category === "" ? null : fields.category}
          options={categoryOptions(benchmark.categories, name)}
          onChange={(category) => setFields({ ...fields, category: category ?? "" })}
          placeholder={t("intake.choose")}
          wrong={wrong("category")}
          testId="category"
        />
      </section>

      <section aria-label={t("intake.files")}>
        <div
          className={over ? "dropzone dropzone-over" : "dropzone"}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={onDrop}
          data-testid="dropzone"
        >
          <p>
            <b>{t("intake.drop")}</b>
          </p>
          <p className="dim">
            {t("intake.limits", { formats: formats.join(", "), size: typeof largest === "number" ? format.bytes(largest) : "" })}
          </p>
          <Button onClick={() => input.current?.click()} keys="o">
            {t("intake.chooseFiles")}
          </Button>
          <input
            ref={input}
            type="file"
            accept="image/jpeg,image/png,image/webp"
            multiple
            className="visually-hidden"
            tabIndex={-1}
            aria-label={t("intake.chooseFiles")}
            onChange={(event) => {
              uploads.add(event.target.files ?? []);
              // The same file can be chosen again after it was taken off the list.
              event.target.value = "";
            }}
            data-testid="files"
          />
        </div>
        {list.length > 0 && (
          <div className="intake-bar">
            <Button look="primary" onClick={start} disabled={ready === 0} keys="Mod+Enter" data-testid="start-upload">
              {t("intake.start", { count: ready })}
            </Button>
            <span className="dim" role="status" data-testid="upload-counts">
              {t("intake.counts", { done, refused, all: list.length })}
            </span>
            {done > 0 && (
              <Button small look="plain" onClick={() => uploads.clearDone()}>
                {t("intake.clearDone")}
              </Button>
            )}
          </div>
        )}
        <ul className="uploads">
          {list.map((upload) => (
            <UploadCard
              key={upload.clientKey}
              upload={upload}
              slug={benchmark.slug}
              onRetry={() => {
                setTried(true);
                if (missing.length === 0 || upload.state === "failed") uploads.retry(upload.clientKey, fields);
              }}
              onRemove={() => uploads.remove(upload.clientKey)}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Pictures on the clipboard go the same way as dropped ones; pasting text into a field stays pasting text. */
function usePaste(onFiles: (files: File[]) => void): void {
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = picturesIn(event.clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);
}

function useWarnOnLeave(isBusy: () => boolean): void {
  const latest = useRef(isBusy);
  useEffect(() => {
    latest.current = isBusy;
  });
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault();
    };
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, []);
}
