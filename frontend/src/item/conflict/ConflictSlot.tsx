/** One field that differs between two versions: both values, and what is to be submitted. */
import { useTranslation } from "react-i18next";
import type { WorkRules } from "@/api/types";
import type { Content, KindView } from "@/kinds/kind";
import { PartValue } from "@/kinds/PartValue";
import type { Part } from "@/kinds/tree";
import { Gap } from "@/ui/Gap";
import styles from "./conflict.module.css";

export interface Decision {
  /** A side, a text of the person's own, or nothing decided yet. */
  readonly choice: "mine" | "theirs" | "edited" | null;
  /** What would be submitted. */
  readonly value: unknown;
}

interface ConflictSlotProps {
  /** The field's number in the item, from 1, which tells its inputs from those of others. */
  number: number;
  part: Part;
  decision: Decision;
  view: KindView;
  rules: WorkRules;
  /** A version that has the part. */
  content: Content;
  onDecide: (decision: Decision) => void;
}

export function ConflictSlot({ number, part, decision, view, rules, content, onDecide }: ConflictSlotProps) {
  const { t } = useTranslation("workspace");
  const { path, node, base, verdict } = part;
  const { choice, value } = decision;
  const valueOf = (version: unknown) => <PartValue view={view} rules={rules} path={path} node={node} value={version} />;
  return (
    <li className={styles.conflictSlot} data-verdict={verdict} data-undecided={choice === null || undefined}>
      <fieldset>
        <legend>
          <view.FieldName rules={rules} path={path} content={content} />
        </legend>
        {(["mine", "theirs"] as const).map((side) => (
          <label key={side}>
            <input
              type="radio"
              name={`conflict-${number}`}
              checked={choice === side}
              onChange={() => onDecide({ choice: side, value: part[side] })}
              data-testid={`conflict-${number}-${side}`}
            />
            <span className="tiny">{side === "mine" ? t("conflict.own") : t("conflict.other")}</span>
            <span>{valueOf(part[side])}</span>
          </label>
        ))}
        {node.type === "text" && (
          <label className={styles.conflictMerged}>
            <span className="tiny">{t("conflict.merged")}</span>
            <textarea
              className="input"
              rows={2}
              lang={node.lang}
              dir={node.dir}
              value={String(value)}
              onChange={(event) => onDecide({ choice: "edited", value: event.target.value })}
            />
          </label>
        )}
        {base !== undefined && base !== "" && (
          <p className="tiny">
            {t("conflict.base")}<Gap />{valueOf(base)}
          </p>
        )}
      </fieldset>
    </li>
  );
}
