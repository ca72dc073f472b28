/** A value of one version where versions are compared: a leaf, or an entry with all it holds. */
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { ContentNode, WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
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
  const name = useLocalised();
  if (value === undefined) return t("part.none");
  return leaves(node, value, path).map((leaf, index) => (
    <Fragment key={leaf.path}>
      {index > 0 && " · "}
      {leaf.node.type === "text" ? (
        <bdi lang={leaf.node.lang} dir={leaf.node.dir}>
          {leaf.value === "" ? t("part.empty") : String(leaf.value)}
        </bdi>
      ) : leaf.node.type === "numbers" && view.Leaf ? (
        <view.Leaf leaf={leaf} rules={rules} />
      ) : (
        printed(leaf, name) || t("part.empty")
      )}
    </Fragment>
  ));
}

function printed({ node, value }: Leaf, name: ReturnType<typeof useLocalised>): string {
  if (node.type === "code") return name(node.choices.find(({ code }) => code === value)?.name) || String(value);
  if (typeof value === "boolean") return value ? "✓" : "✗";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
