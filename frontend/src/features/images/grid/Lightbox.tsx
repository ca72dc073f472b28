import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Image } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Stage } from "@/picture/Stage";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { FlagChips } from "../FlagChips";
import { STATE_TONES } from "../states";
import { NearDuplicates } from "../NearDuplicates";
import styles from "./grid.module.css";

interface Props {
  image: Image;
  slug: string;
  /** Shows the picture beside its near duplicates. */
  isComparing: boolean;
  onStep: (step: number) => void;
  onClose: () => void;
  onCompare: () => void;
  /** What can be decided, under the picture. */
  children: ReactNode;
}

/** One picture large, over the grid; the grid's keys continue working, so that one can decide picture after picture. */
export function Lightbox({ image, slug, isComparing, onStep, onClose, onCompare, children }: Props) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div className={styles.lightbox} ref={box} tabIndex={-1} role="region" aria-label={image.label} data-testid="lightbox">
      <div className={styles.lightboxHead}>
        <b>{image.label}</b>
        <span>{image.category ? name(image.category.name) : t("noCategory")}</span>
        <ul className="chips">
          <li>
            <Chip tone={STATE_TONES[image.state]}>{t(`ui:imageState.${image.state}`)}</Chip>
          </li>
          {image.personal_information_clear && (
            <li>
              <Chip tone="good">{t("clearShort")}</Chip>
            </li>
          )}
          <FlagChips flags={image.flags} near={image.near} slug={slug} />
        </ul>
        <span className={styles.lightboxTools}>
          {image.near.length > 0 && (
            <Button small keys="c" aria-pressed={isComparing} onClick={onCompare} data-testid="compare-near-duplicates">
              {t("action.compare")}
            </Button>
          )}
          <Button small onClick={() => onStep(-1)} aria-label={t("action.left")}>
            ←
          </Button>
          <Button small onClick={() => onStep(1)} aria-label={t("action.right")}>
            →
          </Button>
          <ButtonLink small to={`/b/${slug}/pictures/${image.id}`}>
            {t("action.page")}
          </ButtonLink>
          <Button small onClick={onClose} keys="Escape">
            {t("ui:close")}
          </Button>
        </span>
      </div>
      {isComparing && image.near.length > 0 ? (
        <div className={styles.lightboxCompare}>
          <NearDuplicates key={image.id} id={image.id} slug={slug} />
        </div>
      ) : (
        <Stage key={image.id} width={image.width} height={image.height} view={image.view_url} clean={image.clean_url} label={image.label} />
      )}
      {children}
    </div>
  );
}
