/** The numbered objects that the expressions of a content are about. */
import { useContext, useMemo } from "react";
import type { WorkRules } from "@/api/types";
import type { Region } from "@/picture/regions/regions";
import { BaseContext } from "../base";
import type { Content } from "../kind";
import { PictureCategoryContext } from "../PictureCategory";
import { objectsOf, ownObjects } from "./objects";

/** Those of the accepted boxes; where the page does not know these, the boxes that the expressions have. */
export function useObjects(rules: WorkRules, content: Content): readonly Region[] {
  const base = useContext(BaseContext);
  const category = useContext(PictureCategoryContext);
  return useMemo(() => (base === null ? ownObjects(rules, content) : objectsOf(base, category)), [base, category, rules, content]);
}
