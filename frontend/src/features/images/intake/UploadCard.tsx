import { memo, useEffect, useRef, useState, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useRead } from "@/api/queries";
import type { Axis, Category, UploadCheck } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Meter } from "@/ui/Meter";
import { useErrorText } from "@/ui/Problem";
import { WaitReason } from "@/ui/WaitReason";
import type { PictureRules } from "../protocol";
import type { Card, CardState } from "./cards";
import { previewOf } from "./preview";
import styles from "./intake.module.css";

const TONES: Partial<Record<CardState, Tone>> = { taken: "good", refused: "bad", failed: "bad", offline: "warn", interrupted: "warn" };

interface Props {
  card: Card;
  slug: string;
  rules: PictureRules;
  categories: readonly Category[];
  axes: readonly Axis[];
  /** Where the keyboard focus is. */
  isAt: boolean;
  isChosen: boolean;
  onTick: (key: string, range: boolean) => void;
  onRetry: (key: string) => void;
  onRemove: (key: string) => void;
}

/** One file on its way in. Redrawn only when something about it changes, for there may be hundreds. */
export const UploadCard = memo(function UploadCard({ card, slug, rules, categories, axes, isAt, isChosen, onTick, onRetry, onRemove }: Props) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const errorText = useErrorText();
  const { row, state, error, image } = card;
  const isMoving = state === "sending" || state === "queued" || state === "offline" || state === "interrupted";
  const title = image?.label ?? card.name;
  const onClick = (event: MouseEvent) => {
    // The tick box and what else can be pressed answer for themselves.
    if (event.target instanceof Element && event.target.closest("a, button, input, label") !== null) return;
    onTick(card.key, event.shiftKey);
  };
  return (
    <li
      className={isChosen ? `${styles.upload} ${styles.uploadChosen}` : styles.upload}
      data-testid="upload"
      data-state={state}
      data-name={card.name}
      data-key={card.key}
      onClick={onClick}
    >
      <input
        type="checkbox"
        className={styles.uploadTick}
        checked={isChosen}
        tabIndex={isAt ? 0 : -1}
        aria-label={t("intake.choosePicture", { name: card.name })}
        disabled={state === "taken"}
        onChange={() => undefined}
        onClick={(event) => onTick(card.key, event.shiftKey)}
      />
      <Thumb card={card} />
      <div className={styles.uploadBody}>
        <div className={styles.uploadHead}>
          {image ? <Link to={`/b/${slug}/pictures/${image.id}`}>{image.label}</Link> : <b title={card.name}>{card.name}</b>}
          <span className="faint number">
            {image && `${card.name} · `}
            {row?.width != null && row.height !== null && `${row.width} × ${row.height} · `}
            {format.bytes(card.bytes)}
          </span>
          <Chip tone={TONES[state]}>{row?.kind === "zip" && state === "taken" ? t("upload.unpacked") : t(`upload.${state}`)}</Chip>
          {row?.kind === "zip" && <Chip>{t("upload.zip")}</Chip>}
        </div>
        {isMoving && <Meter value={card.sent} of={card.bytes} label={t("upload.progress", { name: card.name })} />}
        {state === "interrupted" && <p className={styles.uploadHint}>{t("upload.interruptedHint", { share: format.percent(card.sent / Math.max(1, card.bytes), 0) })}</p>}
        {row !== null && state !== "taken" && <Checks checks={row.checks} isDone={state !== "checking"} />}
        <WaitReason job={row?.job ?? null} />
        {error && (
          <div className={styles.uploadWhy} role="alert">
            <p>
              <span aria-hidden="true">✕ </span>
              {errorText({ ...error, params: translatedParams(error.params, format.list, (field) => t([`detail.${field}`, field])) })}
            </p>
            {error.code === "image_duplicate" && typeof error.params?.twin_id === "number" && <NearDuplicate id={error.params.twin_id} slug={slug} />}
          </div>
        )}
        {row !== null && row.near.length > 0 && state !== "taken" && (
          <div className={styles.uploadNear} data-testid="near">
            <p>{t("upload.near")}</p>
            <ul>
              <li>
                <Thumb card={card} />
                <span className="tiny">{t("upload.this")}</span>
              </li>
              {row.near.map((nearDuplicate) => (
                <li key={nearDuplicate.id}>
                  <Link to={`/b/${slug}/pictures/${nearDuplicate.id}`} tabIndex={isAt ? 0 : -1}>
                    <img src={nearDuplicate.thumb_url} alt="" width={120} height={90} loading="lazy" />
                    {nearDuplicate.label}
                  </Link>
                  <span className="tiny">{t("nearDuplicates.distance", { count: nearDuplicate.distance })}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {state !== "refused" && state !== "taken" && row?.kind !== "zip" && <Said card={card} rules={rules} categories={categories} axes={axes} />}
      </div>
      <div className={styles.uploadTools}>
        {card.file !== null && (state === "failed" || state === "offline") && (
          <Button small onClick={() => onRetry(card.key)} data-testid="retry-upload">
            {t("ui:retry")}
          </Button>
        )}
        <Button small look="plain" tabIndex={isAt ? 0 : -1} onClick={() => onRemove(card.key)} aria-label={t("upload.remove", { name: title })} data-testid="remove-upload">
          ✕
        </Button>
      </div>
    </li>
  );
});

/** Names of details inside an error, in the reader's words. */
function translatedParams(
  params: Readonly<Record<string, unknown>> | undefined,
  list: (parts: readonly string[]) => string,
  name: (field: string) => string,
): Readonly<Record<string, unknown>> {
  const fields = params?.fields;
  return Array.isArray(fields) ? { ...params, fields: list(fields.map((field) => name(String(field)))) } : (params ?? {});
}

/** A line with the known details of the picture, and those that are missing. */
function Said({ card, rules, categories, axes }: Pick<Props, "card" | "rules" | "categories" | "axes">) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const format = useFormat();
  const { details } = card;
  const named = (list: readonly { code: string; name: Parameters<typeof name>[0] }[], code: string | undefined) =>
    code === undefined || code === "" ? "" : name(list.find((one) => one.code === code)?.name) || code;
  const category = categories.find((one) => one.slug === details.category);
  const said = [
    details.source === undefined ? "" : t(`source.${details.source}`),
    named(rules.sites, details.site),
    details.author ?? "",
    named(rules.licences, details.licence),
    category ? name(category.name) : (details.category ?? ""),
    ...axes.map((axis) => name(axis.values.find((value) => value.slug === details.axes?.[axis.code])?.name)),
  ].filter((text) => text !== "");
  if (said.length === 0 && card.missing.length === 0) return null;
  return (
    <p className={styles.uploadSaid}>
      {said.length > 0 && <span className="dim">{said.join(" · ")}</span>}
      {card.missing.length > 0 && (
        <span className={styles.uploadMissing} data-testid="missing">
          {t("upload.missing", { what: format.list(card.missing.map((field) => t([`detail.${field}`, field]))) })}
        </span>
      )}
    </p>
  );
}

const CHECK_TONES: Readonly<Record<UploadCheck["state"], Tone | undefined>> = { waiting: undefined, passed: "good", flagged: "warn", refused: "bad" };
const CHECK_MARKS: Readonly<Record<UploadCheck["state"], string>> = { waiting: "…", passed: "✓", flagged: "⚑", refused: "✕" };

/** Each check as it finishes; once all are done, those that passed shrink to one mark. */
function Checks({ checks, isDone }: { checks: readonly UploadCheck[]; isDone: boolean }) {
  const { t } = useTranslation("images");
  const name = (check: UploadCheck) => t([`check.${check.code}`, check.code], check.params);
  const passed = checks.filter((check) => check.state === "passed");
  const shown = isDone ? checks.filter((check) => check.state === "flagged" || check.state === "refused") : checks;
  if (checks.length === 0) return null;
  return (
    <ul className="chips" aria-label={t("upload.checks")} data-testid="checks">
      {isDone && passed.length > 0 && (
        <li>
          <Chip tone="good" title={passed.map(name).join(" · ")}>
            ✓ {t("upload.passed", { count: passed.length })}
          </Chip>
        </li>
      )}
      {shown.map((check) => (
        <li key={check.code} data-state={check.state}>
          <Chip tone={CHECK_TONES[check.state]}>
            {CHECK_MARKS[check.state]} {name(check)}
          </Chip>
        </li>
      ))}
    </ul>
  );
}

/** The server's small picture once it is there, until then one made from the file when the card comes into view. */
function Thumb({ card }: { card: Card }) {
  const box = useRef<HTMLSpanElement>(null);
  const [made, setMade] = useState<string | null>(null);
  const served = card.row?.thumb_url ?? null;
  const { file } = card;
  useEffect(() => {
    if (served !== null || file === null || made !== null) return;
    let current = true;
    const show = () => void previewOf(file).then((address) => current && setMade(address));
    const element = box.current;
    if (element === null || typeof IntersectionObserver === "undefined") return;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      show();
    });
    seen.observe(element);
    return () => {
      current = false;
      seen.disconnect();
    };
  }, [served, file, made]);
  const address = served ?? made;
  return (
    <span className={styles.uploadThumb} ref={box}>
      {address !== null && <img src={address} alt="" decoding="async" />}
    </span>
  );
}

/** The picture that was there first; invisible to those who may not see it. */
function NearDuplicate({ id, slug }: { id: number; slug: string }) {
  const nearDuplicate = useRead("image_show", { path: { id } });
  if (!nearDuplicate.data) return null;
  return (
    <Link to={`/b/${slug}/pictures/${id}`} className={styles.uploadTwin} data-testid="near-duplicate">
      <img src={nearDuplicate.data.thumb_url} alt="" width={64} height={48} />
      {nearDuplicate.data.label}
    </Link>
  );
}
