/** Submits a file of predictions with the name of the system that made them and the profile that scores them. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { sendForm } from "@/api/form";
import { useWrite } from "@/api/queries";
import type { SubmissionRequirements } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { SelectField, TextField } from "@/ui/Field";
import { fileBody, FileForm } from "@/ui/FileForm";
import { Meter } from "@/ui/Meter";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { listActions } from "./actions";
import { useSubmissionPlaces } from "./places";
import styles from "./submissions.module.css";

interface NewSubmissionProps {
  requirements: SubmissionRequirements;
  /** Whether the page of submissions is still open: who has left for another page stays there. */
  isPageOpen: () => boolean;
}

export function NewSubmission({ requirements, isPageOpen }: NewSubmissionProps) {
  const { t } = useTranslation("submissions");
  const format = useFormat();
  const navigate = useNavigate();
  const places = useSubmissionPlaces();
  const [file, setFile] = useState<File | null>(null);
  const [system, setSystem] = useState("");
  const [note, setNote] = useState("");
  const [chosenProfile, setProfile] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const profile = chosenProfile ?? requirements.profiles[0]?.name ?? "";
  const source = requirements.profiles.find(({ name }) => name === profile)?.source ?? "";
  const create = useWrite("submission_create", { send: (request) => sendForm("submission_create", request, setShare) });
  const isTooLarge = file !== null && file.size > requirements.maximum_bytes;
  const isReady = file !== null && !isTooLarge && system.trim() !== "" && profile !== "" && !create.isPending;

  const chooseFile = (chosen: File) => {
    setFile(chosen);
    create.reset();
  };
  const send = () => {
    if (file === null) return;
    setShare(0);
    const list = places.list(requirements.release.id);
    // After the last one of a day this form is gone before the answer's callbacks would run; a promise is kept.
    create.mutateAsync({ path: { id: requirements.release.id }, body: fileBody(file, { system: system.trim(), note: note.trim(), profile }) }).then(
      (created) => (isPageOpen() ? navigate(`${list}/${created.id}`) : toasts.show(t("form.sentMeanwhile", { name: file.name }))),
      () => {
        if (!isPageOpen()) toasts.show(t("form.notSentMeanwhile", { name: file.name })); // else shown by the form
      },
    );
  };

  return (
    <FileForm
      texts="submissions"
      actions={listActions}
      file={file}
      onFile={chooseFile}
      formats={t("form.formats", { maximum: format.bytes(requirements.maximum_bytes) })}
      accept=".json,.jsonl,.ndjson,.csv,.txt,application/json,application/jsonl,text/csv"
      isSending={create.isPending}
      onSend={isReady ? send : null}
      error={create.error}
      className={styles.submissionNew}
      testId="submission"
    >
      {isTooLarge && <Problem error={{ code: "submission_too_large", params: { maximum: requirements.maximum_bytes } }} />}
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
          {requirements.profiles.map(({ name }) => (
            <option key={name} value={name}>
              {t(`profileName.${name}`, { defaultValue: name })}
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
    </FileForm>
  );
}
