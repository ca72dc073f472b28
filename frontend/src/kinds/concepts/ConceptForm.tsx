/** Writes down a concept of a picture: its names, and a generic noun for it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/Field";
import { useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import { conceptFormActions } from "./actions";
import styles from "./concepts.module.css";

export interface Side {
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  /** The language as the reader calls it. */
  readonly name: string;
}

interface ConceptFormProps {
  imageId: number;
  sides: readonly Side[];
  onAdded: () => void;
  onClose: () => void;
}

/** As the server counts them, in code points. */
const LONGEST = { name: 80, explanation: 1_000, aliases: 20 } as const;

const EMPTY = { local: "", translated: "", noun_local: "", noun_translated: "", aliases: "", explanation: "" };

export function ConceptForm({ imageId, sides, onAdded, onClose }: ConceptFormProps) {
  const { t } = useTranslation("kinds");
  const add = useWrite("concept_add");
  const [texts, setTexts] = useState(EMPTY);
  const [isTried, setTried] = useState(false);
  const [own, other] = sides;
  const aliases = texts.aliases
    .split(/[;；,，、\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");

  /** What is wrong with a field: at once if it is too long, when it is submitted if it is empty. */
  function fault(name: keyof typeof EMPTY): string | undefined {
    if (name === "aliases" && aliases.length > LONGEST.aliases) return t("concepts.tooMany", { maximum: LONGEST.aliases });
    const most = name === "explanation" ? LONGEST.explanation : LONGEST.name;
    const values = name === "aliases" ? aliases : [texts[name].trim()];
    if (values.some((value) => Array.from(value).length > most)) return t("concepts.tooLong", { maximum: most });
    return name === "local" && isTried && texts.local.trim() === "" ? t("concepts.missing") : undefined;
  }
  function submit() {
    if (add.isPending) return;
    setTried(true);
    const isTooLong = (Object.keys(EMPTY) as (keyof typeof EMPTY)[]).some((name) => fault(name) !== undefined);
    if (isTooLong || texts.local.trim() === "") return;
    const body = { ...texts, aliases };
    add.mutate({ path: { id: imageId }, body }, { onSuccess: onAdded });
  }
  // While it is open, keys are its own: Esc leaves the form and not the desk.
  useActions(conceptFormActions, { add: submit, cancel: onClose }, { exclusive: true });
  const input = (name: keyof typeof EMPTY, label: string, side?: Side) => (
    <TextField
      label={label}
      lang={side?.lang}
      dir={side?.dir ?? "auto"}
      value={texts[name]}
      autoComplete="off"
      autoFocus={name === "local"}
      wrong={fault(name)}
      data-testid={`concept-${name}`}
      onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
    />
  );
  return (
    <form
      className={styles.conceptForm}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      noValidate
      data-testid="concept-form"
    >
      <div className={styles.conceptPair}>
        {input("local", other ? t("concepts.nameIn", { language: own?.name }) : t("concepts.name"), own)}
        {other && input("translated", t("concepts.nameIn", { language: other.name }), other)}
      </div>
      <div className={styles.conceptPair}>
        {input("noun_local", other ? t("concepts.nounIn", { language: own?.name }) : t("concepts.noun"), own)}
        {other && input("noun_translated", t("concepts.nounIn", { language: other.name }), other)}
      </div>
      {input("aliases", t("concepts.aliases"))}
      {input("explanation", t("concepts.explanation"), own)}
      <p className="tiny">{t("concepts.hint")}</p>
      {add.error && <Problem error={add.error} />}
      <div className="row-actions">
        <Button type="submit" small look="primary" keys="Mod+Enter" busy={add.isPending} data-testid="concept-add">
          {t("concepts.confirm")}
        </Button>
        <Button small keys="Escape" onClick={onClose}>
          {t("ui:cancel")}
        </Button>
      </div>
    </form>
  );
}
