/** Imports a file of work that was written elsewhere, as items or as drafts. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useRead, useWrite } from "@/api/queries";
import { useFormat } from "@/i18n/format";
import { TEAM_TRACKS } from "@/item/desk";
import { useTracksOfKinds } from "@/kinds/useTrackKinds";
import { SelectField, TextField } from "@/ui/Field";
import { fileBody, FileForm } from "@/ui/FileForm";
import { Problem } from "@/ui/Problem";
import { listActions } from "./actions";
import styles from "./imports.module.css";

const FORMATS = ["auto", "label_studio", "coco_captions", "coco_boxes", "jsonl"] as const;
const TARGETS = ["items", "drafts"] as const;
type Target = (typeof TARGETS)[number];

export function NewImport({ slug, maximumBytes }: { slug: string; maximumBytes: number }) {
  const { t } = useTranslation("imports");
  const { bytes } = useFormat();
  const navigate = useNavigate();
  const tracks = useTracksOfKinds(slug);
  const kinds = [...tracks.keys()];
  const [file, setFile] = useState<File | null>(null);
  const [chosenKind, setKind] = useState<string | null>(null);
  const [format, setFormat] = useState<(typeof FORMATS)[number]>("auto");
  const [chosenTarget, setTarget] = useState<Target>("items");
  const [team, setTeam] = useState("");
  const [reason, setReason] = useState("");
  const create = useWrite("import_create");
  const kind = chosenKind ?? kinds[0] ?? "";
  const isOfTeams = TEAM_TRACKS.includes(tracks.get(kind) ?? "package");
  const target = isOfTeams ? "items" : chosenTarget;
  const isTooLarge = file !== null && file.size > maximumBytes;
  const isReady = file !== null && !isTooLarge && kind !== "" && !create.isPending;

  const chooseFile = (chosen: File) => {
    setFile(chosen);
    create.reset();
  };
  const send = () => {
    if (file === null) return;
    create.mutate(
      { path: { b: slug }, body: fileBody(file, { kind, target, format, reason: reason.trim(), ...(isOfTeams && team !== "" ? { team } : {}) }) },
      { onSuccess: (created) => void navigate(`/b/${slug}/imports/${created.id}`) },
    );
  };

  return (
    <FileForm
      texts="imports"
      actions={listActions}
      file={file}
      onFile={chooseFile}
      formats={t("form.formats", { maximum: bytes(maximumBytes) })}
      accept=".json,.jsonl,.ndjson,.txt,application/json,application/jsonl"
      isSending={create.isPending}
      onSend={isReady ? send : null}
      error={create.error}
      className={styles.importNew}
      testId="import"
    >
      {isTooLarge && <Problem error={{ code: "import_too_large", params: { maximum: maximumBytes } }} />}
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
          value={format}
          onChange={(event) => setFormat(FORMATS.find((one) => one === event.target.value) ?? "auto")}
          data-testid="import-format"
        >
          {FORMATS.map((one) => (
            <option key={one} value={one}>
              {t(`format.${one}`)}
            </option>
          ))}
        </SelectField>
      </div>
      {isOfTeams ? <TeamField slug={slug} team={team} onTeam={setTeam} /> : <Targets target={target} onTarget={setTarget} />}
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
    </FileForm>
  );
}

function Targets({ target, onTarget }: { target: Target; onTarget: (target: Target) => void }) {
  const { t } = useTranslation("imports");
  return (
    <fieldset className={styles.importTarget}>
      <legend className="label">{t("form.target")}</legend>
      {TARGETS.map((one) => (
        <label key={one}>
          <input type="radio" name="target" value={one} checked={target === one} onChange={() => onTarget(one)} data-testid={`import-target-${one}`} />
          <span>
            <b>{t(`target.${one}`)}</b> <span className="dim">{t(`form.targetHint.${one}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The team of all rows; drafts of a file would reach no one in a team. */
function TeamField({ slug, team, onTeam }: { slug: string; team: string; onTeam: (team: string) => void }) {
  const { t } = useTranslation("imports");
  const teams = (useRead("team_list", { path: { b: slug } }).data ?? []).filter(({ closed }) => !closed);
  return (
    <>
      <SelectField
        label={t("form.team")}
        hint={team === "" ? t("form.teamHint") : undefined}
        value={team}
        onChange={(event) => onTeam(event.target.value)}
        data-testid="import-team"
      >
        <option value="">{t("form.teamOfRow")}</option>
        {teams.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <p className="dim">
        {t("target.items")}: {t("form.teamItemsHint")}
      </p>
    </>
  );
}
