/** A person's own proposals, field by field: names, and the four things that they vouch for. Saved while they are written. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useContentLanguage } from "@/api/benchmark";
import { useWrite } from "@/api/queries";
import type { CategoryBoard } from "@/api/types";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "@/i18n/languages";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { useActions } from "@/ui/keys";
import { LeaveGuard } from "@/ui/LeaveGuard";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { useFocusOnWrong } from "@/ui/useFocusOnWrong";
import { submitActions } from "./actions";
import { useProposalDraft, type ProposedRow } from "./useProposalDraft";
import styles from "./board.module.css";

const VOUCHINGS = ["common", "representative", "physical", "concrete"] as const;

export function Proposals({ slug, board }: { slug: string; board: CategoryBoard }) {
  const { t } = useTranslation("board");
  const name = useLocalised();
  const draft = useProposalDraft(slug, board);
  const { rows, setRows, isSaved, error } = draft;
  const submit = useWrite("category_board_submit");
  const content = useContentLanguage(slug);
  const first: Language = LANGUAGES.find((one) => one === content) ?? "zh-Hans";
  const faults = isSaved ? board.draft.faults : [];
  const [attempts, setAttempts] = useState(0);
  /** The proposals about which the question whether to submit is open. */
  const [asksAbout, setAsksAbout] = useState<readonly ProposedRow[] | null>(null);
  const form = useRef<HTMLElement>(null);
  useFocusOnWrong(form, attempts);
  const isComplete = faults.length === 0 && rows.length > 0;
  const isAsking = asksAbout === rows && isComplete;
  // Asked while they were being saved, with faults that the save found.
  if (asksAbout === rows && isSaved && !isComplete) {
    setAsksAbout(null);
    setAttempts(attempts + 1);
  }
  const send = () => {
    if (!isSaved || !isComplete) return;
    submit.mutate({ path: { b: slug } }, { onSuccess: () => toasts.show(t("submitted")) });
  };
  // Asked first: once submitted they cannot be changed. What is being saved is submitted when it is.
  const ask = () => {
    if (isAsking) send();
    else if (isComplete) setAsksAbout(rows);
    else setAttempts(attempts + 1);
  };
  useActions(submitActions, { canSubmit: rows.length > 0, submit: ask });
  const change = (place: number, changed: Partial<ProposedRow>) => setRows(rows.map((row, n) => (n === place ? { ...row, ...changed } : row)));
  const add = (field: string) => setRows([...rows, { field, name: {}, vouched: [] }]);
  const remove = (place: number) => setRows(rows.filter((_, n) => n !== place));

  return (
    <section ref={form} aria-labelledby="own-proposals" className={styles.proposals} data-testid="own-proposals">
      <LeaveGuard when={!isSaved} text={t("draft.leave")} />
      <h2 id="own-proposals">{t("draft.title")}</h2>
      <p>
        {t("draft.task", { minimum: board.minimum, maximum: board.maximum })}
        <Gap />
        {VOUCHINGS.map((one) => t(`vouch.${one}`)).join(" · ")}
      </p>
      {board.fields.map((field) => {
        const places = rows.flatMap((row, place) => (row.field === field.code ? [place] : []));
        const ofField = faults.filter((fault) => fault.field === field.code && fault.row === null);
        return (
          <fieldset key={field.code} className={styles.field} data-testid={`field-${field.code}`}>
            <legend>
              <b>{name(field.name)}</b> <span className="dim">{t("draft.count", { count: places.filter((place) => (rows[place]?.name[first] ?? "").trim() !== "").length, minimum: board.minimum, maximum: board.maximum })}</span>
            </legend>
            {places.map((place, n) => {
              const row = rows[place];
              if (row === undefined) return null;
              const own = faults.filter((fault) => fault.row === place);
              return (
                <ProposalRow
                  key={place}
                  row={row}
                  field={name(field.name)}
                  number={n + 1}
                  first={first}
                  wrong={own.map((fault) => t(`fault.${fault.code}`, fault.params))}
                  isNameWrong={own.some(({ code }) => code !== "not_vouched")}
                  isVouchingMissing={own.some(({ code }) => code === "not_vouched")}
                  isLast={place === rows.length - 1}
                  onChange={(changed) => change(place, changed)}
                  onEnter={() => add(field.code)}
                  onRemove={() => remove(place)}
                />
              );
            })}
            {/* Before anything is entered the line above says the same. */}
            {(places.length > 0 || attempts > 0 ? ofField : []).map((fault) => (
              <p key={fault.code} className="hint">
                {t(`fault.${fault.code}`, fault.params)}
              </p>
            ))}
            {places.length < board.maximum && (
              <Button small onClick={() => add(field.code)} data-testid={`add-${field.code}`}>
                {t("draft.add")}
              </Button>
            )}
          </fieldset>
        );
      })}
      {error?.code === "stale_row" ? (
        <Elsewhere onOverwrite={draft.overwrite} onReload={draft.reload} />
      ) : (
        error && <Problem error={error} onRetry={draft.retry} />
      )}
      {submit.error && <Problem error={submit.error} />}
      {isAsking && <p data-testid="submit-ask">{t("draft.submitAsk", { count: rows.length })}</p>}
      {attempts > 0 && isSaved && !isComplete && (
        <p className="wrong" role="alert">
          {t("draft.incomplete")}
        </p>
      )}
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" disabled={rows.length === 0} busy={submit.isPending || (isAsking && !isSaved && error === null)} onClick={ask} data-testid="submit-proposals">
          {t(isAsking ? "draft.submitNow" : "draft.submit")}
        </Button>
        {isAsking && <Button onClick={() => setAsksAbout(null)}>{t("ui:cancel")}</Button>}
        <span className="tiny">{t("draft.submitHint")}</span>
        <span role="status" className="tiny" data-testid="draft-state">
          {(rows.length > 0 || !isSaved) && t(isSaved ? "draft.saved" : error === null ? "draft.saving" : "draft.unsaved")}
        </span>
      </div>
    </section>
  );
}

/** Another window saved the proposals since: which ones stay is the person's choice. */
function Elsewhere({ onOverwrite, onReload }: { onOverwrite: () => void; onReload: () => void }) {
  const { t } = useTranslation("board");
  return (
    <Notice
      tone="warn"
      action={
        <>
          <Button small onClick={onOverwrite} data-testid="draft-overwrite">
            {t("draft.overwrite")}
          </Button>
          <Button small onClick={onReload} data-testid="draft-reload">
            {t("draft.reload")}
          </Button>
        </>
      }
    >
      {t("draft.elsewhere")}
    </Notice>
  );
}

interface RowProps {
  row: ProposedRow;
  /** Its field's name and its place there. */
  field: string;
  number: number;
  first: Language;
  wrong: readonly string[];
  isNameWrong: boolean;
  isVouchingMissing: boolean;
  isLast: boolean;
  onChange: (changed: Partial<ProposedRow>) => void;
  onEnter: () => void;
  onRemove: () => void;
}

function ProposalRow({ row, field, number, first, wrong, isNameWrong, isVouchingMissing, isLast, onChange, onEnter, onRemove }: RowProps) {
  const { t } = useTranslation("board");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A row that was just added is where the person continues to write.
    if (isLast && Object.keys(row.name).length === 0) input.current?.focus();
  }, [isLast, row.name]);
  const languages = [first, ...LANGUAGES.filter((one) => one === "en" && one !== first)];
  const shown = row.name[first] ?? `${field} ${String(number)}`;
  return (
    <div className={styles.proposal}>
      {languages.map((language, n) => (
        <input
          key={language}
          ref={n === 0 ? input : undefined}
          className="input"
          lang={language}
          maxLength={60}
          placeholder={LANGUAGE_NAMES[language]}
          aria-label={t("draft.nameOf", { field, row: number, language: LANGUAGE_NAMES[language] })}
          aria-invalid={(isNameWrong && language === first) || undefined}
          value={row.name[language] ?? ""}
          onChange={(event) => onChange({ name: { ...row.name, [language]: event.target.value } })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            onEnter();
          }}
        />
      ))}
      {VOUCHINGS.map((vouching) => (
        <label key={vouching} className={styles.vouch} data-missing={(isVouchingMissing && !row.vouched.includes(vouching)) || undefined}>
          <input
            type="checkbox"
            aria-invalid={(isVouchingMissing && !row.vouched.includes(vouching)) || undefined}
            checked={row.vouched.includes(vouching)}
            aria-label={t("draft.vouchFor", { name: shown, what: t(`vouch.${vouching}`) })}
            onChange={(event) => onChange({ vouched: event.target.checked ? [...row.vouched, vouching] : row.vouched.filter((one) => one !== vouching) })}
          />{" "}
          {t(`vouch.${vouching}`)}
        </label>
      ))}
      <Button small aria-label={t("draft.remove", { name: shown })} onClick={onRemove}>
        ×
      </Button>
      {wrong.length > 0 && <p className="wrong">{wrong.join(" · ")}</p>}
    </div>
  );
}
