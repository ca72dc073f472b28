/** Makes an item set: a gold file of a suite and a ZIP of its pictures, sent together. */
import { useRef, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { sendForm } from "@/api/form";
import { useWrite } from "@/api/queries";
import type { SetSuite } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { ChooseFile } from "@/ui/ChooseFile";
import { SelectField, TextField } from "@/ui/Field";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Problem, useErrorText } from "@/ui/Problem";
import { useFocusOnWrong } from "@/ui/useFocusOnWrong";
import styles from "./sets.module.css";

/** Shown at the name, not below the form. */
const NAME_TAKEN = "set_name_taken";

interface NewSetProps {
  slug: string;
  suites: readonly SetSuite[];
  /** Most bytes of all files together. */
  limit: number;
  onClose: () => void;
}

export function NewSet({ slug, suites, limit, onClose }: NewSetProps) {
  const { t } = useTranslation("sets");
  const format = useFormat();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  const [name, setName] = useState("");
  const [suite, setSuite] = useState(suites[0]?.name ?? "");
  const [gold, setGold] = useState<File | null>(null);
  const [pictures, setPictures] = useState<File | null>(null);
  const [texts, setTexts] = useState<File | null>(null);
  const [share, setShare] = useState(0);
  const create = useWrite("set_create", { send: (request) => sendForm("set_create", request, setShare) });
  const hasDialogues = suites.find((one) => one.name === suite)?.has_dialogues === true;
  // A file that was chosen for another kind of questions is not sent.
  const dialogues = hasDialogues ? texts : null;
  const size = (gold?.size ?? 0) + (pictures?.size ?? 0) + (dialogues?.size ?? 0);
  const isTooLarge = size > limit;
  const isGoldMissing = attempts > 0 && gold === null;
  const isNameTaken = create.error?.code === NAME_TAKEN;
  const takenText = create.error !== null && isNameTaken ? errorText(create.error) : undefined;
  const nameWrong = attempts > 0 && name.trim() === "" ? t("new.nameNeeded") : takenText;
  useFocusOnWrong(form, attempts);
  // A refusal comes after the attempt.
  useFocusOnWrong(form, isNameTaken ? 1 : 0);

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    setAttempts(attempts + 1);
    if (name.trim() === "" || gold === null || isTooLarge) return;
    const body = new FormData();
    body.set("name", name.trim());
    body.set("suite", suite);
    body.set("gold", gold, gold.name);
    if (pictures !== null) body.set("pictures", pictures, pictures.name);
    if (dialogues !== null) body.set("dialogues", dialogues, dialogues.name);
    setShare(0);
    create.mutate({ path: { b: slug }, body }, { onSuccess: (row) => void navigate(`/b/${slug}/sets/${row.id}`) });
  };
  const take = (keep: (file: File) => void) => (file: File) => {
    keep(file);
    // What is being sent continues, and so does its progress.
    if (!create.isPending) create.reset();
  };

  return (
    <form ref={form} className={`card form ${styles.new}`} aria-labelledby="new-set-title" onSubmit={onSubmit} data-testid="new-set-form">
      <h2 id="new-set-title">{t("new.title")}</h2>
      <p className="dim">{t("new.text")}</p>
      <div className="form-row">
        <TextField
          label={t("new.name")}
          hint={t("new.nameHint")}
          wrong={nameWrong}
          value={name}
          maxLength={120}
          onChange={(event) => {
            setName(event.target.value);
            if (!create.isPending) create.reset();
          }}
          data-testid="set-name"
        />
        <SelectField label={t("new.suite")} hint={t(`reads.${suite}`)} value={suite} onChange={(event) => setSuite(event.target.value)} data-testid="set-suite">
          {suites.map((one) => (
            <option key={one.name} value={one.name}>
              {t(`runs:suite.${one.name}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <ChooseFile
        file={gold}
        onFile={take(setGold)}
        label={t("new.gold")}
        ask={t("new.goldAsk")}
        formats={t("new.goldFormats")}
        choose={t("new.chooseGold")}
        accept=".json,.jsonl,.ndjson,.csv,.parquet,application/json,text/csv"
        testId="set-gold"
      />
      {isGoldMissing && (
        <p className="wrong" tabIndex={-1} data-leads-to-error="">
          {t("new.goldNeeded")}
        </p>
      )}
      <ChooseFile
        file={pictures}
        onFile={take(setPictures)}
        label={t("new.pictures")}
        ask={t("new.picturesAsk")}
        formats={t("new.picturesFormats", { maximum: format.bytes(limit) })}
        choose={t("new.choosePictures")}
        accept=".zip,application/zip"
        testId="set-pictures"
      />
      {hasDialogues && <TextsFile file={texts} onFile={take(setTexts)} />}
      {isTooLarge && (
        <div tabIndex={-1} data-leads-to-error="">
          <Problem error={{ code: "set_file_too_large", params: { maximum: limit } }} />
        </div>
      )}
      {create.error && !isNameTaken && <Problem error={create.error} />}
      {create.isPending && <Meter value={share} of={1} label={t("new.sending")} />}
      <Notice>{t("new.kept")}</Notice>
      <div className="row-actions">
        <Button type="submit" look="primary" busy={create.isPending} data-testid="set-send">
          {t("new.send")}
        </Button>
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}

/** The texts that the gold file of dialogues names by ids. */
function TextsFile({ file, onFile }: { file: File | null; onFile: (file: File) => void }) {
  const { t } = useTranslation("sets");
  return (
    <ChooseFile
      file={file}
      onFile={onFile}
      label={t("new.dialogues")}
      ask={t("new.dialoguesAsk")}
      formats={t("new.dialoguesFormats")}
      choose={t("new.chooseDialogues")}
      accept=".json,application/json"
      testId="set-dialogues"
    />
  );
}
