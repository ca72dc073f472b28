/** What a person reads in a reply in place of the rules, and why. */
import { useId, useRef, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Prediction } from "@/api/types";
import { Button } from "@/ui/Button";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { TextField } from "@/ui/Field";
import { Modal } from "@/ui/Modal";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { useFocusOnWrong } from "@/ui/useFocusOnWrong";
import { ReplyText } from "./Reply";
import styles from "./samples.module.css";

const MOST_REASON = 1_000;
/** Stands for "no answer" among letters. */
const NONE = "-";

export function OverrideDialog({ sample, onClose }: { sample: Prediction; onClose: () => void }) {
  const { t } = useTranslation("samples");
  return (
    <Modal onClose={onClose} label={t("override.title")} className={`card ${styles.dialog}`} testId="override-dialog">
      <OverrideForm sample={sample} onClose={onClose} />
    </Modal>
  );
}

function OverrideForm({ sample, onClose }: { sample: Prediction; onClose: () => void }) {
  const { t } = useTranslation("samples");
  const form = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<string | undefined>();
  const [reason, setReason] = useState("");
  const [attempts, setAttempts] = useState(0);
  const override = useWrite("prediction_override");
  const wrongAnswer = attempts > 0 && answer === undefined ? t("override.answerNeeded") : undefined;
  const wrongReason = attempts > 0 && reason.trim() === "" ? t("override.reasonNeeded") : undefined;
  useFocusOnWrong(form, attempts);
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (answer === undefined || reason.trim() === "" || override.isPending) return;
    override.mutate(
      { path: { id: sample.run.run, ordinal: sample.no }, body: { answer: answer === NONE ? null : answer, reason } },
      {
        onSuccess: () => {
          toasts.show(t("override.done"));
          onClose();
        },
      },
    );
  };
  return (
    <form ref={form} className="form" onSubmit={send} noValidate>
      <h2>{t("override.title")}</h2>
      <p className="dim">{t("override.text")}</p>
      <div className={styles.quoted} tabIndex={0} role="group" aria-label={t("reply.title")} data-testid="override-reply">
        <ReplyText reply={sample.reply} />
      </div>
      <Answer sample={sample} value={answer} wrong={wrongAnswer} onChange={setAnswer} />
      <Reason value={reason} wrong={wrongReason} onChange={setReason} />
      {override.error && <Problem error={override.error} />}
      <div className="row-actions">
        <Button look="primary" type="submit" busy={override.isPending} data-testid="override-send">
          {t("override.send")}
        </Button>
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}

interface AnswerProps {
  sample: Prediction;
  value: string | undefined;
  wrong: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A letter of the options, several letters or a text; always also "no answer". */
function Answer({ sample, value, wrong, onChange }: AnswerProps) {
  const { t } = useTranslation("samples");
  const id = useId();
  if (sample.form?.expects === "letter")
    return (
      <div className="field" aria-invalid={wrong !== undefined || undefined} tabIndex={wrong === undefined ? undefined : -1} role="group" aria-labelledby={id}>
        <span className="label" id={id}>
          {t("override.letter")}
        </span>
        <ChoiceChips<string | undefined>
          label={t("override.letter")}
          value={value}
          choices={[
            ...sample.options.map(({ name, text }) => ({ value: name, text: t("override.option", { name, text }), testId: `override-${name}` })),
            { value: NONE, text: t("noAnswer"), testId: "override-none" },
          ]}
          onChoose={onChange}
        />
        {wrong !== undefined && <p className="wrong">{wrong}</p>}
      </div>
    );
  const isText = sample.form?.expects === "text";
  return (
    <>
      <TextField
        label={isText ? t("override.answer") : t("override.letters", { letters: sample.form?.letters })}
        value={value === NONE ? "" : (value ?? "")}
        maxLength={sample.form?.maximum}
        wrong={wrong}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
        disabled={value === NONE}
        data-testid="override-answer"
        data-first-focus=""
      />
      <label className={styles.none}>
        <input type="checkbox" checked={value === NONE} onChange={(event) => onChange(event.target.checked ? NONE : undefined)} data-testid="override-none" />
        {t("noAnswer")}
      </label>
    </>
  );
}

function Reason({ value, wrong, onChange }: { value: string; wrong: string | undefined; onChange: (value: string) => void }) {
  const { t } = useTranslation("samples");
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {t("override.reason")}
      </label>
      <textarea
        id={id}
        className="input"
        rows={3}
        maxLength={MOST_REASON}
        value={value}
        aria-invalid={wrong !== undefined || undefined}
        aria-describedby={wrong === undefined ? undefined : `${id}-wrong`}
        onChange={(event) => onChange(event.target.value)}
        data-testid="override-reason"
      />
      {wrong !== undefined && (
        <p className="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}
