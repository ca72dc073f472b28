/** A picture over the whole window, to be looked at closely; Space or Escape closes it. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { WorkItem } from "@/api/types";
import { Stage } from "@/picture/Stage";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Modal } from "@/ui/Modal";
import { fullPictureActions } from "./actions";
import styles from "./full-picture.module.css";

interface FullPictureProps {
  image: WorkItem["image"];
  onClose: () => void;
  /** Drawn on the picture. */
  children: ReactNode;
}

export function FullPicture({ image, onClose, children }: FullPictureProps) {
  const { t } = useTranslation("kinds");
  return (
    <Modal onClose={onClose} className={styles.fullPicture} label={image.label} testId="full-picture">
      <CloseKeys onClose={onClose} />
      <Stage
        view={image.view_url}
        clean={image.clean_url}
        width={image.width}
        height={image.height}
        label={t("picture", { label: image.label })}
      >
        {children}
      </Stage>
      <div className={styles.fullPictureClose}>
        {/* Space closes the picture, and must not press the first button of the stage instead. */}
        <Button small keys="Escape" onClick={onClose} data-first-focus="">
          {t("closePicture")}
        </Button>
      </div>
    </Modal>
  );
}

/** Rendered before the stage, so that the stage's own keys come first. */
function CloseKeys({ onClose }: { onClose: () => void }) {
  useActions(fullPictureActions, { close: onClose });
  return null;
}
