import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Refusal } from "@/api/sendQueue";
import type { Image } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { useErrorText } from "@/ui/Problem";
import { STATE_TONES } from "../states";
import type { Decision } from "./judgementQueue";
import { useCountsText } from "./useCountsText";
import styles from "./grid.module.css";

interface Props {
  image: Image;
  decision: Decision | undefined;
  isAt: boolean;
  isChosen: boolean;
  isMarked: boolean;
}

/** One picture of the grid. The list handles clicks for all cards; a card renders only when something about it changes. */
export const PictureCard = memo(function PictureCard({ image, decision, isAt, isChosen, isMarked }: Props) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const errorText = useErrorText();
  const countsText = useCountsText();
  const category = image.category ? name(image.category.name) : t("noCategory");
  const verdict = decision?.verdict?.work.judgement;
  const state = verdict && verdict.outcome !== "clear" ? verdict.outcome : image.state;
  const isClear = image.personal_information_clear || decision?.clear !== undefined;
  const subset = verdict?.outcome === "accepted" ? (verdict.subset ?? image.subset) : image.subset;
  const objects = verdict?.outcome === "accepted" ? (verdict.objects ?? image.objects) : image.objects;
  const classes = [styles.pictureCard, isAt && styles.pictureAt, isMarked && styles.pictureMarked].filter(Boolean).join(" ");
  const conflict = decision?.conflict && errorText(translatedConflict(decision.conflict.error, (outcome) => t([`ui:imageState.${outcome}`, outcome])));
  return (
    <li
      className={classes}
      role="option"
      aria-selected={isChosen}
      tabIndex={isAt ? 0 : -1}
      data-testid="picture"
      data-id={image.id}
      data-label={image.label}
      data-state={state}
      data-pending={decision?.verdict?.state ?? decision?.clear?.state}
      data-conflict={decision?.conflict?.error.code}
    >
      <img src={image.thumb_url} alt="" loading="lazy" decoding="async" width={image.width} height={image.height} />
      <div className={styles.pictureText}>
        <span className={styles.pictureLine}>
          <b>{category}</b>
          <span className="faint number">{image.label}</span>
        </span>
        <span className="chips">
          <Chip tone={STATE_TONES[state]}>{t(`ui:imageState.${state}`)}</Chip>
          {subset !== "" && (
            <Chip tone="accent" title={objects ? countsText(objects) : undefined}>
              {subset}
              {objects && (
                <>
                  <span aria-hidden="true"> · {t("counts.short", { count: objects.all })}</span>
                  <span className="visually-hidden">: {countsText(objects)}</span>
                </>
              )}
            </Chip>
          )}
          {isClear && (
            <Chip tone="good" title={t("clearShort")}>
              {t("clearTiny")}
            </Chip>
          )}
          {(image.flags.length > 0 || image.near.length > 0) && (
            <Chip tone="warn" title={t("flagged")}>
              <span aria-hidden="true">⚑</span>
              <span className="visually-hidden">{t("flagged")}</span>
            </Chip>
          )}
          {image.state === "received" && !image.available_actions.includes("image_judge") && <Chip title={t("notYours")}>{t("own")}</Chip>}
          {decision?.verdict?.state === "pending" && <span className="visually-hidden">{t("heldShort")}</span>}
          {decision?.verdict?.state === "waiting" && <Chip tone="warn">{t("waitingShort")}</Chip>}
        </span>
        {conflict !== undefined && (
          <span className={styles.pictureConflict} data-testid="conflict">
            {conflict}
          </span>
        )}
      </div>
    </li>
  );
});

/** The outcome that someone else decided is named in the reader's words. */
export function translatedConflict(error: Refusal, stateName: (outcome: string) => string): Refusal {
  const outcome = error.params?.outcome;
  return typeof outcome === "string" ? { ...error, params: { ...error.params, outcome: stateName(outcome) } } : error;
}
