/** Creates a benchmark from a preset or from an own protocol, which is checked while it is written. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { call } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { useRead, useWrite } from "@/api/queries";
import type { Localised, Preset } from "@/api/types";
import { LANGUAGE_NAMES, LANGUAGES } from "@/i18n/languages";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { TextField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { useFocusOnWrong } from "@/ui/useFocusOnWrong";
import { BoardForm } from "./BoardForm";
import { DEFAULTS, faultsOf, sentSettings } from "./boardSettings";
import { editorActions } from "./editorActions";
import { lineAt, nextFaultyLine } from "./faults";
import { goToLine, ProtocolEditor } from "./ProtocolEditor";
import { ListTable } from "./lists/ListTable";
import { filled, toCsv, type Row } from "./lists/table";
import { useListCheck } from "./lists/useListCheck";
import { isSlug, slugFrom } from "./slug";
import { useCheck } from "./useCheck";
import styles from "./benchmarks.module.css";

const PRESELECTED = "cvlue";
/** Where the categories come from: the protocol, a list that is typed, or a board that decides on them. */
const CATEGORIES = ["protocol", "own", "board"] as const;
/** What a list that is typed on this page is called. */
const OWN_LIST = "categories";

export function NewBenchmark() {
  const { t } = useTranslation("benchmarks");
  const presets = useRead("preset_list", {}, { staleTime: Infinity });
  return (
    <Page title={t("new")} lead={t("create.lead")}>
      <Loaded of={presets}>{(list) => <Form presets={list} />}</Loaded>
    </Page>
  );
}

function Form({ presets }: { presets: readonly Preset[] }) {
  const { t } = useTranslation("benchmarks");
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = useWrite("benchmark_create");
  const [origin, setOrigin] = useState<Origin>("preset");
  const [preset, setPreset] = useState((presets.find((one) => one.name === PRESELECTED) ?? presets[0])?.name ?? "");
  const [text, setText] = useState("");
  const [unread, setUnread] = useState<ApiError | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const checked = useCheck(origin === "text" ? text : "", null);
  const [source, setSource] = useState<(typeof CATEGORIES)[number]>("protocol");
  const [board, setBoard] = useState(DEFAULTS);
  const ownsList = source === "own";
  const [rows, setRows] = useState<readonly Row[]>([]);
  const listText = toCsv(rows);
  const listCheck = useListCheck(listText, { enabled: ownsList });
  const [title, setTitle] = useState<Localised>({ "zh-Hans": "", "zh-Hant": "", en: "" });
  const [slug, setSlug] = useState<string | null>(null);
  const [attempts, setAttempts] = useState(0);
  const tried = attempts > 0;
  const form = useRef<HTMLFormElement>(null);
  useFocusOnWrong(form, attempts);

  const shownSlug = slug ?? slugFrom(title.en);
  const missing = LANGUAGES.filter((language) => title[language].trim() === "");
  const faults = text.trim() === "" ? [] : (checked.answer?.faults ?? []);
  const hasBoard = source !== "board" || faultsOf(board).length === 0;
  const hasList = !ownsList || (filled(rows).length > 0 && !listCheck.isFaulty);
  const isReady = origin === "preset" ? preset !== "" : text.trim() !== "" && checked.isCurrent && faults.length === 0;
  const slugWrong = tried && !isSlug(shownSlug) ? t("create.slugWrong") : undefined;

  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (missing.length > 0 || !isSlug(shownSlug) || !isReady || !hasList || !hasBoard) return;
    const from = origin === "preset" ? { preset } : { text };
    const own = { name: OWN_LIST, text: listText, form: "csv" as const };
    const categories = { protocol: {}, own: { categories: { own } }, board: { categories: { board: sentSettings(board) } } }[source];
    create.mutate(
      { body: { slug: shownSlug, title, ...from, ...categories } },
      {
        onSuccess: (created) => {
          // The session holds the roles, so the new benchmark's pages need it fresh.
          void client.invalidateQueries({ queryKey: ["session_show"] }).then(() => navigate(`/b/${created.slug}`));
        },
        onError: () => setAttempts((last) => last + 1),
      },
    );
  };

  // Most own protocols start from a preset's text.
  const startFrom = (name: string) => {
    call("preset_show", { path: { preset: name } }).then(
      (found) => {
        setText(found.source);
        setOrigin("text");
        setUnread(null);
      },
      (error: unknown) => setUnread(toApiError(error)),
    );
  };
  const nextFault = () => {
    const place = area.current;
    const line = nextFaultyLine(faults, place === null ? 0 : lineAt(place.value, place.selectionStart));
    if (line !== null) goToLine(place, line);
  };
  useActions(editorActions, { hasFaults: origin === "text" && faults.length > 0, canFinish: false, proposes: false, nextFault, finish: () => undefined });

  return (
    <form ref={form} className={`form ${styles.create}`} onSubmit={onSubmit} noValidate>
      <OriginChoice origin={origin} onOrigin={setOrigin} />
      {unread && <Problem error={unread} />}
      {origin === "text" && <ProtocolEditor label={t("create.text")} value={text} onChange={setText} checked={checked} area={area} />}
      {origin === "text" && tried && !isReady && checked.isCurrent && <p className="wrong">{t("create.textFaulty")}</p>}
      {origin === "preset" && <PresetChoice presets={presets} chosen={preset} onChoose={setPreset} onChange={startFrom} />}
      <fieldset className={styles.origins}>
        <legend>{t("create.categories")}</legend>
        {CATEGORIES.map((one) => (
          <label key={one}>
            <input type="radio" name="categories" checked={source === one} onChange={() => setSource(one)} data-testid={`categories-${one}`} /> {t(`create.categoriesFrom.${one}`)}
          </label>
        ))}
      </fieldset>
      {source === "board" && <BoardForm preset={PRESELECTED} settings={board} onSettings={setBoard} tried={tried} />}
      {ownsList && <ListTable rows={rows} onRows={setRows} checked={listCheck} saves={tried} />}
      {ownsList && tried && !hasList && listCheck.isCurrent && <p className="wrong">{t("create.textFaulty")}</p>}
      <div className="form-row">
        {LANGUAGES.map((language) => (
          <TextField
            key={language}
            label={t("create.title", { language: LANGUAGE_NAMES[language] })}
            lang={language}
            value={title[language]}
            maxLength={120}
            onChange={(event) => setTitle({ ...title, [language]: event.target.value })}
            wrong={tried && missing.includes(language) ? t("create.titleMissing") : undefined}
            data-testid={`title-${language}`}
          />
        ))}
      </div>
      <TextField
        label={t("create.slug")}
        hint={t("create.slugHint", { address: `/b/${shownSlug === "" ? "…" : shownSlug}` })}
        wrong={slugWrong}
        value={shownSlug}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setSlug(event.target.value)}
        data-testid="slug"
      />
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={create.isPending} data-testid="create-benchmark">
          {t("create.go")}
        </Button>
        <ButtonLink to="/benchmarks">{t("ui:cancel")}</ButtonLink>
      </div>
    </form>
  );
}

type Origin = "preset" | "text";

function OriginChoice({ origin, onOrigin }: { origin: Origin; onOrigin: (origin: Origin) => void }) {
  const { t } = useTranslation("benchmarks");
  return (
    <fieldset className={styles.origins}>
      <legend>{t("create.origin")}</legend>
      {(["preset", "text"] as const).map((one) => (
        <label key={one}>
          <input type="radio" name="origin" value={one} checked={origin === one} onChange={() => onOrigin(one)} data-testid={`origin-${one}`} /> {t(`create.from.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}

interface PresetChoiceProps {
  presets: readonly Preset[];
  chosen: string;
  onChoose: (name: string) => void;
  /** Opens the text of a preset to be changed. */
  onChange: (name: string) => void;
}

function PresetChoice({ presets, chosen, onChoose, onChange }: PresetChoiceProps) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  return (
    <fieldset className={styles.presets}>
      <legend>{t("create.preset")}</legend>
      {presets.map((one) => (
        <label key={one.name} className={styles.preset}>
          <input type="radio" name="preset" value={one.name} checked={chosen === one.name} onChange={() => onChoose(one.name)} data-testid={`preset-${one.name}`} />
          <b>{name(one.title)}</b>
          <p>{name(one.summary)}</p>
          <KindChips preset={one} />
        </label>
      ))}
      <Button small onClick={() => onChange(chosen)} data-testid="start-from-preset">
        {t("create.change")}
      </Button>
    </fieldset>
  );
}

/** What a preset's benchmark can do now, and what its protocol only plans. */
function KindChips({ preset }: { preset: Preset }) {
  const { t } = useTranslation("benchmarks");
  return (
    <p className="chips" data-testid={`preset-kinds-${preset.name}`}>
      {preset.kinds.map((kind) => (
        <Chip key={kind} tone="good">
          {t(`ui:kind.${kind}`)}
        </Chip>
      ))}
      {preset.planned_kinds.map((kind) => (
        <Chip key={kind}>{t("create.plannedKind", { kind: t(`ui:kind.${kind}`) })}</Chip>
      ))}
    </p>
  );
}
