import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Image } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { STATE_TONES } from "./states";

export function PictureCard({
  image,
  isAt,
  isChosen,
  isMarked,
  isPending,
  onClick,
  onOpen,
  onFocus,
}: {
  image: Image;
  slug: string;
  isAt: boolean;
  isChosen: boolean;
  isMarked: boolean;
  isPending: boolean;
  onClick: (event: MouseEvent) => void;
  onOpen: () => void;
  onFocus: () => void;
}) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const category = image.category ? name(image.category.name) : t("noCategory");
  const classes = ["picture-card", isAt && "picture-at", isMarked && "picture-marked", isPending && "picture-pending"].filter(Boolean).join(" ");
  return (
    <li
      className={classes}
      role="option"
      aria-selected={isChosen}
      aria-label={`${image.label}, ${category}, ${t(`ui:imageState.${image.state}`)}`}
      tabIndex={isAt ? 0 : -1}
      onClick={onClick}
      onDoubleClick={onOpen}
      onFocus={onFocus}
      data-testid="picture"
      data-label={image.label}
      data-state={image.state}
    >
      <img src={image.thumb_url} alt="" loading="lazy" decoding="async" width={image.width} height={image.height} />
      <div className="picture-text">
        <span className="picture-line">
          <b>{category}</b>
          <span className="faint number">{image.label}</span>
        </span>
        <span className="chips">
          <Chip tone={STATE_TONES[image.state]}>{t(`ui:imageState.${image.state}`)}</Chip>
          {image.personal_information_clear && <Chip tone="good">{t("clearShort")}</Chip>}
          {(image.flags.length > 0 || image.near.length > 0) && (
            <Chip tone="warn" title={t("flagged")}>
              ⚑
            </Chip>
          )}
          {image.state === "received" && !image.available_actions.includes("image_judge") && <Chip title={t("notYours")}>{t("own")}</Chip>}
        </span>
      </div>
    </li>
  );
}
