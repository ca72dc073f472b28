/** The objects of a picture with their numbers; beside an editor a press on one goes to its expression. */
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { RegionLayer } from "@/picture/regions/RegionLayer";
import type { RegionLook } from "@/picture/regions/RegionShape";
import type { Region } from "@/picture/regions/regions";
import { SurfaceContext, usePictureTool } from "@/picture/surface";
import type { OverlayProps } from "../kind";
import { changedObjects, choose, fieldId, keyOf, objectAt, textPath } from "./grounding";
import { expressionsOf } from "./objects";
import { useObjects } from "./useObjects";
import styles from "./grounding.module.css";

/** Signs as in a comparison of texts, beside the colours. */
const FATES = {
  added: { tone: "good", icon: "+" },
  removed: { tone: "bad", icon: "−", isDashed: true },
  changed: { tone: "warn", icon: "≠" },
  same: { tone: "muted" },
} as const;

export function GroundingOverlay({ content, rules, picture, before, editor }: OverlayProps) {
  const { t } = useTranslation("kinds");
  const surface = useContext(SurfaceContext);
  const objects = useObjects(rules, content);
  usePictureTool(
    surface,
    editor
      ? {
          tap: (at) => {
            const object = objectAt(objects, at);
            if (object === undefined) return;
            const chosen = choose(rules, content, objects, object.key);
            if (chosen !== content) editor.onChange(chosen);
            editor.onField(textPath(object.key));
            // The press took the focus from the field, which may be the current one already.
            document.getElementById(fieldId(object.key))?.focus();
          },
        }
      : null,
  );
  const nameOf = () => t("grounding.object");
  if (before) {
    const { objects: all, fateOf } = changedObjects(rules, before, content);
    const lookOf = ({ key }: Region) => ({ ...FATES[fateOf(key)], state: t(`boxes.fate.${fateOf(key)}`) });
    return <RegionLayer mode="show" regions={all} picture={picture} nameOf={nameOf} lookOf={lookOf} />;
  }
  const written = new Set(expressionsOf(rules, content).map(({ key }) => key));
  const className = objects.length > 1 ? styles.numbered : undefined;
  const selected = editor ? keyOf(editor.field) : null;
  const lookOf = ({ key }: Region): RegionLook => ({
    ...(className === undefined ? {} : { className }),
    ...(written.has(key) ? { colour: 0 } : { tone: "muted", isDashed: true, state: t("grounding.notChosen") }),
    ...(key === selected ? { isFilled: true } : {}),
  });
  return <RegionLayer mode="show" regions={objects} picture={picture} nameOf={nameOf} lookOf={lookOf} selected={selected} />;
}
