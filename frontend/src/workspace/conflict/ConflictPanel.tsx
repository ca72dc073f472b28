/** Two texts from one base: shows both, proposes the side that changed, lets the person decide slot by slot. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { conflictActions } from "../actions";
import { compareVersions, mergedTexts, proposedChoices, type MergeChoice } from "./merge";
import type { Versions } from "./versions";
import styles from "./conflict.module.css";

interface ConflictPanelProps {
  versions: Versions;
  lang: string;
  onSubmit: (texts: string[]) => void;
  onLeave: () => void;
}

export function ConflictPanel({ versions, lang, onSubmit, onLeave }: ConflictPanelProps) {
  const { t } = useTranslation("workspace");
  const slots = compareVersions(versions.base, versions.mine, versions.theirs);
  const [choices, setChoices] = useState<MergeChoice[]>(() => proposedChoices(slots));
  const [texts, setTexts] = useState<string[]>(() => mergedTexts(slots, proposedChoices(slots)));

  function choose(index: number, choice: MergeChoice) {
    setChoices(choices.map((old, at) => (at === index ? choice : old)));
    setTexts(texts.map((old, at) => (at === index ? (slots[index]?.[choice] ?? old) : old)));
  }
  function chooseAll(choice: MergeChoice) {
    setChoices(slots.map(() => choice));
    setTexts(slots.map((slot) => slot[choice]));
  }

  useActions(conflictActions, {
    takeAllMine: () => chooseAll("mine"),
    takeAllTheirs: () => chooseAll("theirs"),
    submit: () => onSubmit(texts),
    leave: onLeave,
  });

  return (
    <section className={styles.conflict} data-testid="conflict" aria-labelledby="conflict-title">
      <h2 id="conflict-title">{t("conflict.title")}</h2>
      <p className="dim">{t("conflict.text")}</p>
      <div className="row-actions">
        <Button small keys="m" onClick={() => chooseAll("mine")}>
          {t("conflict.useAllOwn")}
        </Button>
        <Button small keys="t" onClick={() => chooseAll("theirs")}>
          {t("conflict.useAllOther")}
        </Button>
      </div>
      <ol className="conflict-slots">
        {slots.map((slot, index) => (
          <li key={index} className={styles.conflictSlot} data-verdict={slot.verdict}>
            <span className={styles.conflictNumber}>{index + 1}</span>
            {slot.verdict === "same" ? (
              <p lang={lang}>{slot.mine}</p>
            ) : (
              <fieldset>
                <legend className="visually-hidden">{t("conflict.choose", { number: index + 1 })}</legend>
                {(["mine", "theirs"] as const).map((side) => (
                  <label key={side}>
                    <input
                      type="radio"
                      name={`conflict-${index}`}
                      checked={choices[index] === side}
                      onChange={() => choose(index, side)}
                      data-testid={`conflict-${index + 1}-${side}`}
                    />
                    <span className="tiny">{side === "mine" ? t("conflict.own") : t("conflict.other")}</span>
                    <span lang={lang}>{slot[side] === "" ? t("conflict.empty") : slot[side]}</span>
                  </label>
                ))}
                <label className={styles.conflictMerged}>
                  <span className="tiny">{t("conflict.merged")}</span>
                  <textarea
                    className="input"
                    rows={2}
                    lang={lang}
                    value={texts[index] ?? ""}
                    onChange={(event) => setTexts(texts.map((old, at) => (at === index ? event.target.value : old)))}
                  />
                </label>
                {slot.base !== "" && (
                  <p className="tiny">
                    {t("conflict.base")} <span lang={lang}>{slot.base}</span>
                  </p>
                )}
              </fieldset>
            )}
          </li>
        ))}
      </ol>
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" onClick={() => onSubmit(texts)} data-testid="conflict-submit">
          {t("conflict.submit")}
        </Button>
      </div>
    </section>
  );
}
