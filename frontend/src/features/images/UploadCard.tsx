import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useRead } from "@/api/queries";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Meter } from "@/ui/Meter";
import { useErrorText } from "@/ui/Problem";
import { FlagChips } from "./FlagChips";
import type { Upload } from "./uploads";

const TONES: Partial<Record<Upload["state"], Tone>> = { done: "good", refused: "bad", failed: "warn" };

/** Refusals that other details can turn into an acceptance; the others need another file. */
const ABOUT_DETAILS: ReadonlySet<string> = new Set([
  "licence_not_allowed",
  "category_unknown",
  "source_address_missing",
  "invalid_input",
  "text_refused",
  "operation_not_allowed",
]);

/** What every picture is held against on arrival, in the order the server looks. */
const CHECKS = ["size", "type", "sides", "aspect", "licence", "duplicate", "metadata"] as const;

export function UploadCard({ upload, slug, onRetry, onRemove }: { upload: Upload; slug: string; onRetry: () => void; onRemove: () => void }) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const say = useErrorText();
  const { state, error, image } = upload;
  return (
    <li className="upload" data-testid="upload" data-state={state} data-name={upload.name}>
      <img
        src={image?.thumb_url ?? upload.preview}
        alt=""
        width={96}
        height={72}
        // What the browser cannot show stays a dark field; the server says what is wrong with it.
        onError={(event) => {
          event.currentTarget.style.visibility = "hidden";
        }}
      />
      <div className="upload-body">
        <div className="upload-head">
          <b title={upload.name}>{upload.name}</b>
          <span className="faint number">{format.bytes(upload.bytes)}</span>
          <Chip tone={TONES[state]}>{t(`upload.${state}`)}</Chip>
        </div>
        {(state === "sending" || state === "queued") && <Meter value={upload.progress} of={1} label={t("upload.progress", { name: upload.name })} />}
        {image && (
          <>
            <p>
              <Link to={`/b/${slug}/pictures/${image.id}`}>{image.label}</Link>{" "}
              <span className="faint number">
                {image.width} × {image.height}
              </span>
            </p>
            <ul className="chips" aria-label={t("upload.checks")}>
              {CHECKS.map((check) => (
                <li key={check}>
                  <Chip tone="good">✓ {t(`check.${check}`)}</Chip>
                </li>
              ))}
              <FlagChips flags={image.flags} near={image.near} slug={slug} />
            </ul>
          </>
        )}
        {error && (
          <div className="upload-why" role="alert">
            <p>
              <span aria-hidden="true">✕ </span>
              {say(error)}
            </p>
            {error.code === "image_duplicate" && typeof error.params.twin_id === "number" && <Twin id={error.params.twin_id} slug={slug} />}
          </div>
        )}
      </div>
      <div className="upload-tools">
        {(state === "failed" || (error && ABOUT_DETAILS.has(error.code))) && (
          <Button small onClick={onRetry} data-testid="retry-upload">
            {t("ui:retry")}
          </Button>
        )}
        <Button small look="plain" onClick={onRemove} aria-label={t("upload.remove", { name: upload.name })}>
          ✕
        </Button>
      </div>
    </li>
  );
}

/** The picture that was there first; invisible to those who may not see it. */
function Twin({ id, slug }: { id: number; slug: string }) {
  const twin = useRead("image_show", { path: { id } });
  if (!twin.data) return null;
  return (
    <Link to={`/b/${slug}/pictures/${id}`} className="upload-twin" data-testid="twin">
      <img src={twin.data.thumb_url} alt="" width={64} height={48} />
      {twin.data.label}
    </Link>
  );
}
