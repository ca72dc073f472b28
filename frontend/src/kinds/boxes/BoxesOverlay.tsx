/** Boxes on the picture: drawn and changed beside an editor, else only shown. */
import { RegionLayer } from "@/picture/regions/RegionLayer";
import { useStore } from "@/store/useStore";
import type { OverlayProps } from "../kind";
import { contentOf, fieldOf, keyOf, pathOf, regionsOf } from "./boxes";
import { recentLabels } from "./recentLabels";
import { useCategories } from "./useCategories";

export function BoxesOverlay({ content, rules, picture, editor }: OverlayProps) {
  const { choices, nameOf, lookOf } = useCategories(rules);
  const recent = useStore(recentLabels);
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
