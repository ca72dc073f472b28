/** The picture that a content is about: its main category, for kinds that mark it, and its id, for those with concepts. */
import { createContext, type ReactNode } from "react";
import type { WorkItem } from "@/api/types";

/** The category's code; null where the page does not know it. */
export const PictureCategoryContext = createContext<string | null>(null);

/** The picture's id; null where the page does not know it. */
export const PictureIdContext = createContext<number | null>(null);

interface PictureCategoryProps {
  of: { readonly image: Pick<WorkItem["image"], "category" | "id"> };
  children: ReactNode;
}

export function PictureCategory({ of: { image }, children }: PictureCategoryProps) {
  return (
    <PictureIdContext value={image.id}>
      <PictureCategoryContext value={image.category?.slug ?? null}>{children}</PictureCategoryContext>
    </PictureIdContext>
  );
}
