/** A picture over the whole window, to be looked at closely; Space, Escape or a click beside it closes it. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { WorkItem } from "@/api/types";
import { Stage } from "@/picture/Stage";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { fullPictureActions } from "./actions";
import "./full-picture.css";

export function FullPicture({ image, onClose }: { image: WorkItem["image"]; onClose: () => void }) {
  const { t } = useTranslation("kinds");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="full-picture"
      aria-label={image.label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      data-testid="full-picture"
    >
      <CloseKeys onClose={onClose} />
      <Stage
        view={image.view_url}
        clean={image.clean_url}
        width={image.width}
        height={image.height}
        label={t("picture", { label: image.label })}
      />
      <div className="full-picture-close">
        <Button small keys="Escape" onClick={onClose}>
          {t("closePicture")}
        </Button>
      </div>
    </dialog>
  );
}

/** Stands before the stage, so that the stage's own keys lie above this layer and everything else below it. */
function CloseKeys({ onClose }: { onClose: () => void }) {
  useActions(fullPictureActions, { close: onClose }, { exclusive: true });
  return null;
}
