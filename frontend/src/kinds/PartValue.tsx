/** A value of one version where versions are compared: a leaf, or an entry with all it holds. */
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { ContentNode, WorkRules } from "@/api/types";
import type { KindView } from "./kind";
import { leaves, type Leaf } from "./tree";

interface PartValueProps {
  view: KindView;
  rules: WorkRules;
  path: string;
  node: ContentNode;
  /** Undefined where the version has no such entry. */
  value: unknown;
}

export function PartValue({ view, rules, path, node, value }: PartValueProps) {
  const { t } = useTranslation("kinds");
  if (value === undefined) return t("part.none");
  return leaves(node, value, path).map((leaf, index) => (
    <Fragment key={leaf.path}>
      {index > 0 && " · "}
      {leaf.node.type === "text" ? (
        <bdi lang={leaf.node.lang} dir={leaf.node.dir}>
          {leaf.value === "" ? t("part.empty") : String(leaf.value)}
        </bdi>
      ) : view.Leaf ? (
        <view.Leaf leaf={leaf} rules={rules} />
      ) : (
        printed(leaf) || t("part.empty")
      )}
    </Fragment>
  ));
}

function printed({ value }: Leaf): string {
  if (typeof value === "boolean") return value ? "✓" : "✗";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
