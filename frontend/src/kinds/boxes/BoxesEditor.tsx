/** The boxes of a picture as a list beside it, with what the server found about each. */
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LabelBox } from "@/picture/regions/LabelBox";
import { RegionList } from "@/picture/regions/RegionList";
import type { Region } from "@/picture/regions/regions";
import { useStore } from "@/store/useStore";
import { ActionButtons } from "@/ui/keys";
import type { EditorProps } from "../kind";
import { HeldBackContext } from "../heldBack";
import { FindingLines } from "../text/FindingLines";
import { OverrideReasons } from "../text/OverrideReasons";
import { contentOf, fieldOf, findingsOfBox, keyOf, pathOf, regionsOf } from "./boxes";
import { CategoryCounts } from "./CategoryCounts";
import { recentLabels } from "./recentLabels";
import { useCategories } from "./useCategories";
import { useSentences } from "./useSentences";
import styles from "./boxes.module.css";

/** The buttons for those who have no keys. */
const TOOLS = ["regions.draw", "regions.undo", "regions.redo", "regions.duplicate", "regions.remove"];

export function BoxesEditor(props: EditorProps) {
  const { content, rules, findings, reasons, field, onField, onChange, onReason } = props;
  const { t } = useTranslation("kinds");
  const regions = regionsOf(rules, content);
  const { nameOf, lookOf, main } = useCategories(rules, regions);
  const say = useSentences(rules);
  const [labelling, setLabelling] = useState<string | null>(null);
  const editor = useRef<HTMLDivElement>(null);
  const isEmpty = regions.length === 0;
  const heldBack = useContext(HeldBackContext);
  useEffect(() => {
    if (heldBack > 0 && isEmpty) editor.current?.querySelector("button")?.focus();
  }, [heldBack, isEmpty]);
  const change = (next: readonly Region[]) => onChange(contentOf(next));
  return (
    <div ref={editor} className={styles.boxes} data-testid="boxes-editor">
      <ActionButtons names={TOOLS} label={t("boxes.tools")} className={styles.tools} />
      <CategoryCounts regions={regions} rules={rules} main={main} />
      <FindingLines findings={findingsOfBox(findings, null)} say={say} />
      {isEmpty ? (
        <p className="dim">{t("boxes.empty")}</p>
      ) : (
        <RegionList
          regions={regions}
          label={t("boxes.list")}
          nameOf={nameOf}
          lookOf={lookOf}
          selected={keyOf(field)}
          onSelect={(key) => onField(pathOf(key, "box"))}
          onRemove={(key) => {
            change(regions.filter((region) => region.key !== key));
            if (keyOf(field) === key) onField("");
          }}
          actionsOf={(region) => (
            <CategoryButton
              name={t("boxes.changeCategory", { name: nameOf(region), number: regions.indexOf(region) + 1 })}
              isOpen={labelling === region.key}
              isFocused={keyOf(field) === region.key && fieldOf(field) === "category" && labelling === null}
              onFocus={() => onField(pathOf(region.key, "category"))}
              onOpen={() => setLabelling(region.key)}
            />
          )}
          noteOf={(region) => (
            <>
              <FindingLines findings={findingsOfBox(findings, region.key)} say={say} />
              {labelling === region.key && (
                <CategoryList
                  region={region}
                  editor={props}
                  onClose={() => setLabelling(null)}
                  onChoose={(code) => {
                    change(regions.map((one) => (one.key === region.key ? { ...one, label: code } : one)));
                    setLabelling(null);
                  }}
                />
              )}
            </>
          )}
        />
      )}
      <OverrideReasons findings={findings} reasons={reasons} ask={(code) => t(`boxes.override.${code}`, { defaultValue: t("text.overrideAny") })} onReason={onReason} />
    </div>
  );
}

interface CategoryButtonProps {
  name: string;
  isOpen: boolean;
  isFocused: boolean;
  onFocus: () => void;
  onOpen: () => void;
}

/** Opens the list of categories of a box; the desk's keys move from one to the next. */
function CategoryButton({ name, isOpen, isFocused, onFocus, onOpen }: CategoryButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isFocused) button.current?.focus();
  }, [isFocused]);
  return (
    <button ref={button} type="button" className={styles.category} aria-label={name} aria-haspopup="listbox" aria-expanded={isOpen} onFocus={onFocus} onClick={onOpen} data-testid="box-category">
      ✎
    </button>
  );
}

interface CategoryListProps {
  region: Region;
  editor: EditorProps;
  onChoose: (code: string) => void;
  onClose: () => void;
}

function CategoryList({ region, editor, onChoose, onClose }: CategoryListProps) {
  const { t } = useTranslation("kinds");
  const { choices, nameOf } = useCategories(editor.rules);
  const recent = useStore(recentLabels);
  return (
    <div className={styles.categoryList}>
      <LabelBox
        choices={choices}
        recent={recent}
        value={region.label ?? ""}
        title={t("boxes.categoryOf", { name: nameOf(region) })}
        onChoose={(code) => {
          recentLabels.use(code);
          onChoose(code);
        }}
        onClose={onClose}
      />
    </div>
  );
}
