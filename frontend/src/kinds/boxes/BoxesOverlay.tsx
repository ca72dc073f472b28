/** Boxes on the picture: drawn and changed beside an editor, else only shown. */
import { RegionLayer } from "@/picture/regions/RegionLayer";
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
  const { choices, nameOf, lookOf } = useCategories(rules);
  const recent = useStore(recentLabels);
  if (before) {
    const { regions, fateOf } = changedRegions(rules, before, content);
    return <RegionLayer mode="show" regions={regions} picture={picture} nameOf={nameOf} lookOf={(region) => FATES[fateOf(region)]} />;
  }
  const shared = { regions: regionsOf(rules, content), picture, nameOf, lookOf };
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
