/** Asks what a decision needs besides: a reason, and the category to merge into, a name or a group. */
import { useEffect, useMemo, useRef, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import type { Refusal } from "@/api/sendQueue";
import type { BoardEntry, CategoryBoard } from "@/api/types";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { isFound } from "@/ui/found";
import { KeyCap, useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import { reasonActions, type Decision } from "./actions";
import styles from "./board.module.css";

type Group = "coco" | "moderate" | "closest";

export interface OpenDecision {
  /** The category that is decided about; null to add one. */
  entry: BoardEntry | null;
  body: {
    action: Decision | "add";
    reason?: string;
    into?: number;
    name?: Record<string, string>;
    group?: Group;
    usual?: Usual;
  };
}

/** The server's `USUAL_REASONS`. */
const REASONS = {
  keep: [],
  remove: ["unclear", "too_general", "not_physical", "rarely_seen"],
  merge: ["same_thing", "included", "look_alike"],
  replace: ["more_concrete", "more_common"],
  rename: ["usual_name", "translation_added", "corrected"],
  regroup: ["other_sense", "other_name", "differs_from_coco"],
  reopen: ["by_mistake", "to_be_discussed"],
  add: ["important", "completes_field"],
} as const;
type Usual = Exclude<(typeof REASONS)[keyof typeof REASONS], readonly []>[number];
const GROUPS = ["coco", "moderate", "closest"] as const;
const MOST_MATCHES = 8;

interface Props {
  slug: string;
  board: CategoryBoard;
  openDecision: OpenDecision;
  error: Refusal | null;
  onCancel: () => void;
  /** The board with the category that was added. */
  onAdded: (board: CategoryBoard) => void;
  onDecide: (entry: BoardEntry, action: Decision, more: Omit<OpenDecision["body"], "action">) => void;
}

export function DecisionForm({ slug, board, openDecision, error, onCancel, onAdded, onDecide }: Props) {
  const { t } = useTranslation("board");
  const nameOf = useLocalised();
  const add = useWrite("category_board_add");
  const { entry } = openDecision;
  const { action, ...before } = openDecision.body;
  const [reason, setReason] = useState(before.reason ?? "");
  const [into, setInto] = useState<number | null>(before.into ?? null);
  const [name, setName] = useState<Record<string, string>>(before.name ?? (action === "rename" ? { ...entry?.name } : {}));
  const [group, setGroup] = useState<Group | "">(before.group ?? GROUPS.find((one) => one === (entry?.group === "" ? entry.computed_group : entry?.group)) ?? "moderate");
  const [field, setField] = useState(entry?.field ?? board.fields[0]?.code ?? "");
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const reasons = useMemo(
    () => REASONS[action].map((usual) => ({ usual, text: t(`reason.${usual}`) })),
    [action, t],
  );
  useEffect(() => form.current?.querySelector<HTMLElement>("input, select")?.focus(), []);

  const hasNoName = Object.values(name).every((one) => one.trim() === "");
  const named = action === "replace" || action === "rename" || action === "add";
  const isSameGroup = action === "regroup" && entry !== null && (group === "" ? entry.group === "" : group === (entry.group === "" ? entry.computed_group : entry.group));
  const send = (why: string) => {
    setTried(true);
    if (isSameGroup || add.isPending || why.trim() === "" || (action === "merge" && into === null)) return;
    if (named && hasNoName) return;
    // Readers of another language read a usual reason in theirs.
    const usual = reasons.find(({ text }) => text === why.trim())?.usual;
    const code = usual === undefined ? {} : { usual };
    if (entry === null || action === "add") {
      add.mutate({ path: { b: slug }, body: { field, name, reason: why, ...code } }, { onSuccess: onAdded });
      return;
    }
    onDecide(entry, action, {
      reason: why,
      ...code,
      ...(action === "merge" && into !== null ? { into } : {}),
      ...(named ? { name } : {}),
      // Without a group it is the computed one again.
      ...(action === "regroup" && group !== "" ? { group } : {}),
    });
  };
  const choose = (place: number) => {
    const chosen = reasons[place]?.text ?? "";
    setReason(chosen);
    send(chosen);
  };
  useActions(reasonActions, { reasons: reasons.length, choose, cancel: onCancel, confirm: () => send(reason) });
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    send(reason);
  };
  return (
    <form ref={form} className="form" onSubmit={onSubmit} noValidate data-testid={`decision-${action}`}>
      <h3>
        {entry ? t("decide.about", { action: t(`action.${action}`).replace("…", ""), name: nameOf(entry.name) }) : t(`action.${action}`).replace("…", "")}
      </h3>
      {action === "merge" && entry !== null && <Target board={board} entry={entry} into={into} onInto={setInto} isMissing={tried && into === null} />}
      {action === "add" && (
        <SelectField label={t("decide.field")} value={field} onChange={(event) => setField(event.target.value)}>
          {board.fields.map((one) => (
            <option key={one.code} value={one.code}>
              {nameOf(one.name)}
            </option>
          ))}
        </SelectField>
      )}
      {named &&
        LANGUAGES.map((language, n) => (
          <TextField
            key={language}
            label={t("draft.name", { language: LANGUAGE_NAMES[language] })}
            wrong={n === 0 && tried && hasNoName ? t("decide.nameMissing") : undefined}
            lang={language}
            maxLength={60}
            value={name[language] ?? ""}
            onChange={(event) => setName({ ...name, [language]: event.target.value })}
            data-testid={`decision-name-${language}`}
          />
        ))}
      {named && <p className="hint">{t("decide.convertHint")}</p>}
      {action === "regroup" && (
        <SelectField label={t("decide.group")} wrong={tried && isSameGroup ? t("decide.sameGroup") : undefined} value={group} onChange={(event) => setGroup(GROUPS.find((one) => one === event.target.value) ?? "")} data-testid="decision-group">
          {GROUPS.map((one) => (
            <option key={one} value={one}>
              {t(`benchmarks:lists.group.${one}`)}
            </option>
          ))}
          {entry !== null && entry.group !== "" && entry.computed_group !== "" && (
            <option value="">{t("decide.asComputed", { group: t(`benchmarks:lists.group.${entry.computed_group}`) })}</option>
          )}
        </SelectField>
      )}
      <TextField
        label={t("decide.reason")}
        maxLength={500}
        value={reason}
        wrong={tried && reason.trim() === "" ? t("decide.reasonMissing") : undefined}
        onChange={(event) => setReason(event.target.value)}
        data-testid="decision-reason"
      />
      <ul className={styles.reasons}>
        {reasons.map(({ usual, text }, n) => (
          <li key={usual}>
            <Button small onClick={() => choose(n)} data-testid={`reason-${String(n + 1)}`}>
              {text} <KeyCap keys={`Alt+${String(n + 1)}`} />
            </Button>
          </li>
        ))}
      </ul>
      {error && error.code !== "stale_row" && <Problem error={error} />}
      {add.error && <Problem error={add.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" keys="Mod+Enter" busy={add.isPending} data-testid="decision-confirm">
          {t("decide.confirm")}
        </Button>
        <Button keys="Escape" onClick={onCancel}>
          {t("action.cancel")}
        </Button>
      </div>
    </form>
  );
}

interface TargetProps {
  board: CategoryBoard;
  entry: BoardEntry;
  into: number | null;
  onInto: (id: number | null) => void;
  /** The form was sent without one. */
  isMissing: boolean;
}

/** Finds the category to merge into by part of a name; Enter takes the first. */
function Target({ board, entry, into, onInto, isMissing }: TargetProps) {
  const { t } = useTranslation("board");
  const nameOf = useLocalised();
  const [search, setSearch] = useState("");
  const matches = board.entries
    .filter((one) => one.id !== entry.id && (one.state === "proposed" || one.state === "kept"))
    .filter((one) => isFound(one.search, search))
    .sort((a, b) => Number(b.field === entry.field) - Number(a.field === entry.field))
    .slice(0, MOST_MATCHES);
  return (
    <fieldset className={styles.target}>
      <legend>{t("decide.into")}</legend>
      <input
        className="input"
        aria-label={t("decide.search")}
        placeholder={t("decide.search")}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          onInto(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          onInto(matches[0]?.id ?? null);
        }}
        aria-invalid={isMissing || undefined}
        data-testid="merge-search"
      />
      {isMissing && (
        <p className="wrong" role="alert">
          {t("decide.intoMissing")}
        </p>
      )}
      {matches.map((one) => (
        <label key={one.id}>
          <input type="radio" name="into" checked={into === one.id} onChange={() => onInto(one.id)} /> {nameOf(one.name)}
        </label>
      ))}
    </fieldset>
  );
}
