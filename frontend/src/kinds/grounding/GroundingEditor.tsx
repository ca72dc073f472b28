/** Writes the expressions of a picture: a field for each object, by its number on the picture. */
import { useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Region } from "@/picture/regions/regions";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import type { EditorProps } from "../kind";
import { findingsOf } from "../text/fields";
import { FindingLines } from "../text/FindingLines";
import { OverrideReasons } from "../text/OverrideReasons";
import { TextField } from "../text/TextField";
import { boxPath, choose, expectedOf, fieldId, isAt, keyOf, remove, textPath, withNewBox } from "./grounding";
import { expressionsOf, isChosenFrom, mostOf, type Expression } from "./objects";
import { useObjects } from "./useObjects";
import { useSentences } from "./useSentences";
import styles from "./grounding.module.css";
import textStyles from "../text/text.module.css";

export function GroundingEditor(props: EditorProps) {
  const { content, rules, findings, reasons, onReason } = props;
  const { t } = useTranslation("kinds");
  const objects = useObjects(rules, content);
  const say = useSentences(rules, content, objects);
  const expressions = expressionsOf(rules, content);
  const gone = expressions.filter(({ key }) => !objects.some((object) => object.key === key));
  const hasChoice = isChosenFrom(rules, objects);
  return (
    <div data-testid="grounding-editor">
      {objects.length === 0 && <Notice tone="warn">{t("grounding.noObject")}</Notice>}
      {hasChoice && (
        <p className="dim" data-testid="choose-objects">
          {t("grounding.choose", { count: mostOf(rules), chosen: expressions.length })}
        </p>
      )}
      <FindingLines findings={expressions.length > 0 || objects.length === 0 ? findingsOf(findings, "expressions") : []} say={say} />
      <ol className={styles.objects}>
        {objects.map((object, at) => (
          <ObjectRow
            key={object.key}
            object={object}
            number={at + 1}
            objects={objects}
            expression={expressions.find(({ key }) => key === object.key)}
            isFull={expressions.length >= expectedOf(rules, objects)}
            hasChoice={hasChoice}
            editor={props}
          />
        ))}
        {gone.map((expression) => (
          <GoneRow key={expression.key} expression={expression} objects={objects} editor={props} />
        ))}
      </ol>
      <OverrideReasons findings={findings} reasons={reasons} ask={() => t("text.overrideAny")} onReason={onReason} />
    </div>
  );
}

interface RowProps {
  objects: readonly Region[];
  editor: EditorProps;
}

interface ObjectRowProps extends RowProps {
  object: Region;
  /** Its number on the picture. */
  number: number;
  expression: Expression | undefined;
  /** Whether there are as many expressions as there may be. */
  isFull: boolean;
  hasChoice: boolean;
}

function ObjectRow({ object, number, objects, expression, isFull, hasChoice, editor }: ObjectRowProps) {
  const { t } = useTranslation("kinds");
  const { content, rules, field, onField, onChange } = editor;
  const say = useSentences(rules, content, objects);
  const { key } = object;
  return (
    <li className={styles.object} data-selected={keyOf(field) === key || undefined} data-testid={`object-${number}`}>
      <span className={textStyles.textNumber} aria-hidden="true">
        {number}
      </span>
      {expression === undefined ? (
        <Button
          small
          look="plain"
          disabled={isFull}
          className={styles.choose}
          onClick={() => {
            onChange(choose(rules, content, objects, key));
            onField(textPath(key));
          }}
          data-testid={`choose-${number}`}
        >
          {t("grounding.write", { number })}
        </Button>
      ) : (
        <>
          <TextField editor={editor} path={textPath(key)} id={fieldId(key)} label={t("grounding.label", { number })} emptyCodes={["expression_empty"]} say={say} />
          {!isAt(expression, object) && (
            <Changed
              text={t("grounding.boxChanged")}
              action={t("grounding.useNewBox")}
              isFocused={field === boxPath(key)}
              onFocus={() => onField(boxPath(key))}
              onAct={() => {
                onChange(withNewBox(rules, content, objects, key));
                onField(textPath(key));
              }}
            />
          )}
          {hasChoice && (
            <div className={styles.under}>
              <Button
                small
                look="plain"
                onClick={() => {
                  onChange(remove(rules, content, objects, key));
                  if (keyOf(field) === key) onField("");
                }}
                data-testid={`leave-out-${number}`}
              >
                {t("grounding.leaveOut", { number })}
              </Button>
            </div>
          )}
        </>
      )}
    </li>
  );
}

/** An expression about an object that the accepted boxes no longer have. */
function GoneRow({ expression: { key }, objects, editor }: RowProps & { expression: Expression }) {
  const { t } = useTranslation("kinds");
  const { content, rules, field, onField, onChange } = editor;
  const say = useSentences(rules, content, objects);
  return (
    <li className={styles.object} data-testid="object-gone">
      <span className={textStyles.textNumber} aria-hidden="true">
        –
      </span>
      <TextField editor={editor} path={textPath(key)} id={fieldId(key)} label={t("grounding.goneLabel")} emptyCodes={["expression_empty"]} say={say} />
      <Changed
        text={t("grounding.gone")}
        action={t("grounding.remove")}
        isFocused={field === boxPath(key)}
        onFocus={() => onField(boxPath(key))}
        onAct={() => {
          onChange(remove(rules, content, objects, key));
          onField("");
        }}
      />
    </li>
  );
}

interface ChangedProps {
  text: string;
  action: string;
  isFocused: boolean;
  onFocus: () => void;
  onAct: () => void;
}

/** The object of an expression was changed since, and what to do about it. */
function Changed({ text, action, isFocused, onFocus, onAct }: ChangedProps) {
  const button = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isFocused) button.current?.querySelector("button")?.focus();
  }, [isFocused]);
  return (
    <div ref={button} className={styles.under} onFocus={onFocus}>
      <Notice
        tone="warn"
        action={
          <Button small onClick={onAct} data-testid="object-changed">
            {action}
          </Button>
        }
      >
        {text}
      </Notice>
    </div>
  );
}
