/** Inserts an uploaded picture of the benchmark into the guidelines, at the cursor. */
import { useState, type KeyboardEvent, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "@/api/session";
import { Button, ButtonLink } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import styles from "./guidelines.module.css";

interface Props {
  slug: string;
  area: RefObject<HTMLTextAreaElement | null>;
  source: string;
  onSource: (source: string) => void;
}

/** The label of a picture that someone typed or pasted, also as a number or an address; null while there is none. */
export function labelIn(typed: string): string | null {
  const number = /^(?:img-)?0*(\d{1,9})$/.exec(typed.trim().toLowerCase())?.[1];
  return number === undefined || number === "0" ? null : `img-${number.padStart(4, "0")}`;
}

export function InsertPicture({ slug, area, source, onSource }: Props) {
  const { t } = useTranslation("guidelines");
  const may = useMay(slug);
  const [typed, setTyped] = useState("");
  const [words, setWords] = useState("");
  const label = labelIn(typed);
  const insert = () => {
    if (label === null) return;
    const at = area.current?.selectionEnd ?? source.length;
    // Brackets and line breaks would end the description.
    const described = words.replace(/[[\]\n]/g, " ").trim() || label;
    onSource(`${source.slice(0, at)}![${described}](${label})${source.slice(at)}`);
    setTyped("");
    setWords("");
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    insert();
  };
  return (
    <fieldset className={styles.insertPicture} onKeyDown={onKeyDown} data-testid="insert-picture">
      <legend className="label">{t("picture.title")}</legend>
      <TextField label={t("picture.label")} value={typed} onChange={(event) => setTyped(event.target.value)} data-testid="picture-label" />
      <TextField label={t("picture.words")} value={words} maxLength={200} onChange={(event) => setWords(event.target.value)} data-testid="picture-words" />
      <Button disabled={label === null} onClick={insert} data-testid="picture-insert">
        {t("picture.insert")}
      </Button>
      {may("upload_create") && (
        <ButtonLink to={`/b/${slug}/pictures/add`} look="plain">
          {t("picture.upload")}
        </ButtonLink>
      )}
      <p className="tiny">{t("picture.hint")}</p>
    </fieldset>
  );
}
