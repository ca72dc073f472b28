/** Boxes on the picture: drawn and changed beside an editor, else only shown. */
import { useTranslation } from "react-i18next";
import { RegionLayer } from "@/picture/regions/RegionLayer";
import type { Region } from "@/picture/regions/regions";
import { useStore } from "@/store/useStore";
import type { OverlayProps } from "../kind";
import { changedRegions, contentOf, fieldOf, keyOf, pathOf, regionsOf } from "./boxes";
import { recentLabels } from "./recentLabels";
import { useCategories } from "./useCategories";

/** Signs as in a comparison of texts, beside the colours. */
const FATES = {
  added: { tone: "good", icon: "+" },
  removed: { tone: "bad", icon: "−", isDashed: true },
  changed: { tone: "warn", icon: "≠" },
  same: { tone: "muted" },
} as const;

export function BoxesOverlay({ content, rules, picture, before, editor }: OverlayProps) {
  const drawn = regionsOf(rules, content);
  const { choices, nameOf, lookOf } = useCategories(rules, drawn);
  const { t } = useTranslation("kinds");
  const recent = useStore(recentLabels);
  if (before) {
    const { regions, fateOf } = changedRegions(rules, before, content);
    const lookOf = (region: Region) => {
      const fate = fateOf(region);
      return { ...FATES[fate], state: t(`boxes.fate.${fate}`) };
    };
    return <RegionLayer mode="show" regions={regions} picture={picture} nameOf={nameOf} lookOf={lookOf} />;
  }
  const shared = { regions: drawn, picture, nameOf, lookOf };
  if (!editor) return <RegionLayer mode="show" {...shared} />;
  const { field, onField, onChange } = editor;
  return (
    <RegionLayer
      mode="edit"
      {...shared}
      selected={keyOf(field)}
      // Its category is a field beside the picture, which has the focus then.
      isFocusElsewhere={fieldOf(field) === "category"}
      onSelect={(key) => onField(key === null ? "" : pathOf(key, "box"))}
      onChange={(regions) => onChange(contentOf(regions))}
      create={(key, box) => ({ key, label: "", box })}
      labels={{ choices, recent, onUsed: (code) => recentLabels.use(code) }}
    />
  );
}
