/** Choosing a file of predictions, saying what made it, and how it is to be read. */
import { useRef, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { sendForm } from "@/api/form";
import { useWrite } from "@/api/queries";
import type { Asked } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { ChooseFile, type FileChooser } from "@/ui/ChooseFile";
import { SelectField, TextField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Problem } from "@/ui/Problem";
import { listActions } from "./actions";

export function NewSubmission({ slug, asked }: { slug: string; asked: Asked }) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const navigate = useNavigate();
  const chooser = useRef<FileChooser>(null);
  const [file, setFile] = useState<File | null>(null);
  const [system, setSystem] = useState("");
  const [note, setNote] = useState("");
  const [chosen, setProfile] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const profile = chosen ?? asked.profiles[0]?.name ?? "";
  const source = asked.profiles.find(({ name }) => name === profile)?.source ?? "";
  const create = useWrite("submission_create", ["submission_list"], { send: (request) => sendForm("submission_create", request, setShare) });
  const tooLarge = file !== null && file.size > asked.maximum_bytes;
  const ready = file !== null && !tooLarge && system.trim() !== "" && profile !== "" && !create.isPending;

  const take = (given: File) => {
    setFile(given);
    create.reset();
  };
  const send = () => {
    if (file === null || !ready) return;
    const body = new FormData();
    for (const [name, value] of Object.entries({ system: system.trim(), note: note.trim(), profile })) body.set(name, value);
    body.set("file", file, file.name);
    setShare(0);
    create.mutate(
      { path: { id: asked.release.id }, body },
      { onSuccess: (made) => void navigate(`/b/${slug}/releases/${asked.release.id}/submissions/${made.id}`) },
    );
  };
  useActions(listActions, { choose: () => chooser.current?.choose(), send: ready ? send : null });
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    send();
  };

  return (
    <form className="card form submission-new" onSubmit={onSubmit} aria-label={t("form.title")} data-testid="new-submission">
      <ChooseFile
        ref={chooser}
        file={file}
        onFile={take}
        label={t("form.file")}
        ask={t("form.drop")}
        formats={t("form.formats", { maximum: format.bytes(asked.maximum_bytes) })}
        choose={t("form.choose")}
        accept=".json,.jsonl,.ndjson,.csv,.txt,application/json,application/jsonl,text/csv"
        testId="submission"
      />
      {tooLarge && <Problem error={{ code: "submission_too_large", params: { maximum: asked.maximum_bytes } }} />}
      <div className="form-row">
        <TextField
          label={t("form.system")}
          hint={t("form.systemHint")}
          value={system}
          maxLength={120}
          onChange={(event) => setSystem(event.target.value)}
          data-testid="submission-system"
        />
        <SelectField
          label={t("form.profile")}
          hint={t(`profile.${profile}`, { defaultValue: source })}
          value={profile}
          onChange={(event) => setProfile(event.target.value)}
          data-testid="submission-profile"
        >
          {asked.profiles.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label={t("form.note")}
        hint={t("form.noteHint")}
        value={note}
        maxLength={500}
        onChange={(event) => setNote(event.target.value)}
        data-testid="submission-note"
      />
      {create.isPending && <Meter value={share} of={1} label={t("form.sending")} />}
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" keys="Mod+Enter" busy={create.isPending} disabled={!ready} data-testid="submission-send">
          {t("form.send")}
        </Button>
      </div>
    </form>
  );
}
