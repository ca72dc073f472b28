import { useEffect, useRef, useState, type DragEvent, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import type { PictureRules } from "../protocol";
import { filesDropped, picturesAmong, type Gathered } from "./files";
import touchStyles from "../touch.module.css";
import styles from "./intake.module.css";

interface Props {
  rules: PictureRules;
  /** Opened by a key as well. */
  input: RefObject<HTMLInputElement | null>;
  isSmall: boolean;
  onFiles: (files: File[]) => void;
  /** Opens or closes the list of web addresses; null where these are off. */
  onAddresses: (() => void) | null;
  areAddressesOpen: boolean;
}

/** What the file chooser offers. A telephone turns its HEIC into JPEG where HEIC is not offered. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  JPEG: ["image/jpeg"],
  PNG: ["image/png"],
  WebP: ["image/webp"],
  HEIC: ["image/heic", "image/heif", ".heic", ".heif"],
};

/** Where files come in: dropped (also folders), chosen, taken by the telephone's camera, pasted, or in an archive. */
export function DropZone({ rules, input, isSmall, onFiles, onAddresses, areAddressesOpen }: Props) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const [isOver, setIsOver] = useState(false);
  const folder = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);

  const [rejected, setRejected] = useState<readonly string[]>([]);

  const gathered = ({ files, rejected: names }: Gathered) => {
    if (files.length > 0) onFiles(files);
    setRejected(names);
  };
  usePaste((files) => onFiles(files));

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void filesDropped(event.dataTransfer).then(gathered);
  };
  const onChosen = (element: HTMLInputElement) => {
    gathered(picturesAmong(element.files ?? []));
    // The same file can be chosen again after it was taken off the list.
    element.value = "";
  };

  return (
    <>
      <section
        className={[styles.dropzone, isSmall && styles.dropzoneSmall, isOver && styles.dropzoneOver].filter(Boolean).join(" ")}
        aria-label={t("intake.files")}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
        data-testid="dropzone"
      >
        <div>
          <p>
            <b>{t("intake.drop")}</b>
          </p>
          <p className="dim">
            {t("intake.limits", { formats: format.list(rules.formats), size: rules.bytesMaximum === null ? "" : format.bytes(rules.bytesMaximum) })}
          </p>
        </div>
        <div className={styles.dropzoneWays}>
          <Button look={isSmall ? undefined : "primary"} onClick={() => input.current?.click()} keys="o">
            {t("intake.chooseFiles")}
          </Button>
          <span className={touchStyles.onlyMouse}>
            <Button onClick={() => folder.current?.click()} data-testid="choose-folder">
              {t("intake.chooseFolder")}
            </Button>
          </span>
          <span className={touchStyles.onlyTouch}>
            <Button onClick={() => camera.current?.click()} data-testid="take-photo">
              {t("intake.camera")}
            </Button>
          </span>
          {onAddresses && (
            <Button onClick={onAddresses} aria-expanded={areAddressesOpen} data-testid="open-addresses">
              {t("addresses.open")}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept={[...rules.formats.flatMap((format) => ACCEPTED[format] ?? []), ".zip", "application/zip"].join(",")}
          multiple
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t("intake.chooseFiles")}
          onChange={(event) => onChosen(event.target)}
          data-testid="files"
        />
        <input
          ref={(element) => {
            folder.current = element;
            // React has no property for it.
            element?.setAttribute("webkitdirectory", "");
          }}
          type="file"
          multiple
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t("intake.chooseFolder")}
          onChange={(event) => onChosen(event.target)}
          data-testid="folder"
        />
        <input
          ref={camera}
          type="file"
          accept="image/*"
          capture="environment"
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t("intake.camera")}
          onChange={(event) => onChosen(event.target)}
          data-testid="camera"
        />
      </section>
      {rejected.length > 0 && <Rejected names={rejected} onClose={() => setRejected([])} />}
    </>
  );
}

/** Names listed of files that are no pictures. */
const LISTED = 5;

/** Which files were not included; it stays until it is read. */
function Rejected({ names, onClose }: { names: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const more = names.length - LISTED;
  const listed = [...names.slice(0, LISTED), ...(more > 0 ? [t("intake.moreFiles", { count: more })] : [])];
  return (
    <Notice
      tone="warn"
      action={
        <Button small onClick={onClose}>
          {t("ui:close")}
        </Button>
      }
    >
      <span data-testid="not-pictures">{t("intake.notPictures", { count: names.length, names: format.list(listed) })}</span>
    </Notice>
  );
}

/** Pictures on the clipboard go the same way as dropped ones; pasting text into a field stays pasting text. */
function usePaste(onFiles: (files: File[]) => void): void {
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const { files } = picturesAmong(event.clipboardData?.files ?? []);
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, []);
}
