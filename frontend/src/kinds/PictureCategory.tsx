/** The main category of the picture that a content is about, for kinds that mark it. */
import { createContext, type ReactNode } from "react";
import type { WorkItem } from "@/api/types";

/** The category's code; null where the page does not know it. */
export const PictureCategoryContext = createContext<string | null>(null);

interface PictureCategoryProps {
  of: { readonly image: Pick<WorkItem["image"], "category"> };
  children: ReactNode;
}

export function PictureCategory({ of: { image }, children }: PictureCategoryProps) {
  return <PictureCategoryContext value={image.category?.slug ?? null}>{children}</PictureCategoryContext>;
}
