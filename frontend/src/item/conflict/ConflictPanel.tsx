/** Two versions from one base: shows where they differ, proposes the side that changed, lets the person decide field by field. */
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { WorkRules } from "@/api/types";
import type { Content, KindView } from "@/kinds/kind";
import { VersionMarks } from "@/kinds/Marks";
import { combine, merge, type Part } from "@/kinds/tree";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { conflictActions } from "./actions";
import { ConflictSlot, type Decision } from "./ConflictSlot";
import type { Versions } from "./versions";
import styles from "./conflict.module.css";

interface ConflictPanelProps {
  versions: Versions;
  view: KindView;
  rules: WorkRules;
  onSubmit: (content: Content) => void;
  onLeave: () => void;
}

export function ConflictPanel({ versions, view, rules, onSubmit, onLeave }: ConflictPanelProps) {
  const { t } = useTranslation("workspace");
  const { base, mine, theirs } = versions;
  const parts = useMemo(() => merge(rules.content, base, mine, theirs), [rules, base, mine, theirs]);
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(() => new Map(parts.map((part) => [part.path, proposed(part)])));
  const [isRefused, setRefused] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const undecided = [...decisions.values()].filter(({ choice }) => choice === null).length;

  function chooseAll(choice: "mine" | "theirs") {
    setDecisions(new Map(parts.map((part) => [part.path, { choice, value: part[choice] }])));
  }
  function submit() {
    // The panel may appear while the person presses the key that submits: what both changed is never sent undecided.
    if (undecided > 0) {
      setRefused(true);
      list.current?.querySelector<HTMLElement>("[data-undecided] input")?.focus();
      return;
    }
    onSubmit(combine(rules.content, base, mine, theirs, ({ path }) => decisions.get(path)?.value));
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
      <VersionMarks view={view} content={mine} rules={rules} name={t("conflict.own")} side="mine" />
      <VersionMarks view={view} content={theirs} rules={rules} name={t("conflict.other")} side="theirs" />
      <div className="row-actions">
        <Button small keys="m" onClick={() => chooseAll("mine")}>
          {t("conflict.useAllOwn")}
        </Button>
        <Button small keys="t" onClick={() => chooseAll("theirs")}>
          {t("conflict.useAllOther")}
        </Button>
      </div>
      <ol ref={list}>
        {parts.map(
          (part, index) =>
            part.verdict !== "same" && (
              <ConflictSlot
                key={part.path}
                number={index + 1}
                part={part}
                decision={decisions.get(part.path) ?? proposed(part)}
                view={view}
                rules={rules}
                content={part.mine === undefined ? theirs : mine}
                onDecide={(decision) => setDecisions(new Map(decisions).set(part.path, decision))}
              />
            ),
        )}
      </ol>
      {parts.every(({ verdict }) => verdict === "same") && <p>{t("conflict.same")}</p>}
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

/** The side that changed; nothing where both did: that is the person's to decide, with their own text to begin with. */
function proposed({ verdict, mine, theirs }: Part): Decision {
  if (verdict === "both") return { choice: null, value: mine };
  return verdict === "theirs" ? { choice: "theirs", value: theirs } : { choice: "mine", value: mine };
}
