/** Choosing a file of work that was written elsewhere, and what is to become of it. */
import { useRef, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useWrite } from "@/api/queries";
import { useSessionBenchmark } from "@/api/session";
import { KIND_NAMES } from "@/kinds/registry";
import { Button } from "@/ui/Button";
import { ChooseFile, type FileChooser } from "@/ui/ChooseFile";
import { SelectField, TextField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import { listActions } from "./actions";

const FORMATS = ["auto", "label_studio", "coco_captions", "jsonl"] as const;
const TARGETS = ["items", "drafts"] as const;

export function NewImport({ slug }: { slug: string }) {
  const { t } = useTranslation("imports");
  const navigate = useNavigate();
  const kinds = (useSessionBenchmark(slug)?.kinds ?? []).filter((one) => KIND_NAMES.includes(one));
  const chooser = useRef<FileChooser>(null);
  const [file, setFile] = useState<File | null>(null);
  const [chosenKind, setKind] = useState<string | null>(null);
  const [form, setForm] = useState<(typeof FORMATS)[number]>("auto");
  const [target, setTarget] = useState<(typeof TARGETS)[number]>("items");
  const [reason, setReason] = useState("");
  const create = useWrite("import_create", ["import_list"]);
  const kind = chosenKind ?? kinds[0] ?? "";
  const ready = file !== null && kind !== "" && !create.isPending;

  const take = (given: File) => {
    setFile(given);
    create.reset();
  };
  const send = () => {
    if (file === null || !ready) return;
    const body = new FormData();
    for (const [name, value] of Object.entries({ kind, target, format: form, reason: reason.trim() })) body.set(name, value);
    body.set("file", file, file.name);
    create.mutate(
      { path: { b: slug }, body },
      {
        onSuccess: (made) => void navigate(`/b/${slug}/imports/${made.id}`),
      },
    );
  };
  useActions(listActions, { choose: () => chooser.current?.choose(), send: ready ? send : null });
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    send();
  };

  return (
    <form className="card form import-new" onSubmit={onSubmit} aria-label={t("form.title")} data-testid="new-import">
      <ChooseFile
        ref={chooser}
        file={file}
        onFile={take}
        label={t("form.file")}
        ask={t("form.drop")}
        formats={t("form.formats")}
        choose={t("form.choose")}
        accept=".json,.jsonl,.ndjson,.txt,application/json,application/jsonl"
        testId="import"
      />
      <div className="form-row">
        {kinds.length > 1 && (
          <SelectField label={t("form.kind")} value={kind} onChange={(event) => setKind(event.target.value)} data-testid="import-kind">
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`ui:kind.${one}`)}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField
          label={t("form.format")}
          value={form}
          onChange={(event) => setForm(FORMATS.find((one) => one === event.target.value) ?? "auto")}
          data-testid="import-format"
        >
          {FORMATS.map((one) => (
            <option key={one} value={one}>
              {t(`format.${one}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <fieldset className="import-target">
        <legend className="label">{t("form.target")}</legend>
        {TARGETS.map((one) => (
          <label key={one}>
            <input type="radio" name="target" value={one} checked={target === one} onChange={() => setTarget(one)} data-testid={`import-target-${one}`} />
            <span>
              <b>{t(`target.${one}`)}</b> <span className="dim">{t(`form.targetHint.${one}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {target === "items" && (
        <TextField
          label={t("form.reason")}
          hint={t("form.reasonHint")}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.target.value)}
          data-testid="import-reason"
        />
      )}
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" keys="Mod+Enter" busy={create.isPending} disabled={!ready} data-testid="import-send">
          {t("form.send")}
        </Button>
      </div>
    </form>
  );
}
