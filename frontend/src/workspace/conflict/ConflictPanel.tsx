/** Two texts from one base: shows both, proposes the side that changed, lets the person decide slot by slot. */
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { conflictActions } from "../actions";
import { ConflictSlot } from "./ConflictSlot";
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
  const [isRefused, setRefused] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const undecided = choices.filter((choice) => choice === null).length;

  function decide(index: number, choice: MergeChoice, text: string) {
    setChoices(choices.map((old, at) => (at === index ? choice : old)));
    setTexts(texts.map((old, at) => (at === index ? text : old)));
  }
  function chooseAll(choice: "mine" | "theirs") {
    setChoices(slots.map(() => choice));
    setTexts(slots.map((slot) => slot[choice]));
  }
  function submit() {
    // The panel may appear while the person presses the key that submits: what both changed is never sent undecided.
    if (undecided > 0) {
      setRefused(true);
      list.current?.querySelector<HTMLElement>("[data-undecided] input")?.focus();
      return;
    }
    onSubmit(texts);
  }

  useActions(conflictActions, {
    takeAllMine: () => chooseAll("mine"),
    takeAllTheirs: () => chooseAll("theirs"),
    submit,
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
      <ol ref={list} className="conflict-slots">
        {slots.map((slot, index) => (
          <ConflictSlot
            key={index}
            index={index}
            slot={slot}
            choice={choices[index] ?? null}
            text={texts[index] ?? ""}
            lang={lang}
            onDecide={(choice, text) => decide(index, choice, text)}
          />
        ))}
      </ol>
      <p className={styles.conflictHint} role="alert" data-testid="conflict-hint">
        {isRefused && undecided > 0 && t("conflict.undecided", { count: undecided })}
      </p>
      <div className="row-actions">
        <Button look="primary" keys="Mod+Enter" onClick={submit} data-testid="conflict-submit">
          {t("conflict.submit")}
        </Button>
      </div>
    </section>
  );
}
