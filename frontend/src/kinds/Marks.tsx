/** What a kind draws on the picture of a content. Kinds without an `Overlay` draw nothing, and nothing is rendered for them. */
import { useContext } from "react";
import type { SheetItem, WorkItem, WorkRules } from "@/api/types";
import { ImageMarks } from "@/picture/ImageMarks";
import { MarkVersion } from "@/picture/MarkVersion";
import { OnPicture } from "@/picture/PictureSpace";
import { SurfaceContext } from "@/picture/surface";
import type { Content, EditorProps, KindView, OverlayProps } from "./kind";
import { rulesIn } from "./language";
import { PictureCategory } from "./PictureCategory";

interface MarksProps extends Omit<OverlayProps, "content" | "picture" | "isRevealed"> {
  /** Null for a kind that this build does not know. */
  view: KindView | null;
  content: Content | null;
  isRevealed?: boolean;
}

/** The marks of a content, on the picture around them. */
export function Marks({ view, content, isRevealed = true, ...props }: MarksProps) {
  if (!view?.Overlay || content === null) return null;
  return <Drawn {...props} Overlay={view.Overlay} content={content} isRevealed={isRevealed} />;
}

function Drawn({ Overlay, ...props }: Omit<OverlayProps, "picture"> & { Overlay: NonNullable<KindView["Overlay"]> }) {
  const surface = useContext(SurfaceContext);
  return surface && <Overlay {...props} picture={surface.size} />;
}

/** The same on the picture beside. */
export function MarksBeside(props: MarksProps) {
  if (!props.view?.Overlay) return null;
  return (
    <OnPicture>
      <Marks {...props} />
    </OnPicture>
  );
}

/** The marks that an editor moves, on the picture beside it. */
export function EditedMarks({ view, editor }: { view: KindView; editor: EditorProps }) {
  return <MarksBeside view={view} content={editor.content} rules={editor.rules} findings={editor.findings} editor={editor} />;
}

/** One of several versions on the picture beside, named. */
export function VersionMarks({ name, side, ...props }: MarksProps & { name: string; side: "mine" | "theirs" | "earlier" | "changes" }) {
  if (!props.view?.Overlay) return null;
  return (
    <OnPicture>
      <MarkVersion name={name} side={side}>
        <Marks {...props} />
      </MarkVersion>
    </OnPicture>
  );
}

interface ItemMarksProps {
  item: Pick<WorkItem, "content" | "state" | "language" | "image"> & Partial<Pick<SheetItem, "findings">>;
  view: KindView | null;
  rules: WorkRules;
}

/** The marks of an item's content on the picture around them; what was skipped has none. */
export function ItemMarks({ item, view, rules }: ItemMarksProps) {
  if (!view?.Overlay || item.state === "skipped") return null;
  return (
    <PictureCategory of={item}>
      <Marks view={view} content={item.content} rules={rulesIn(rules, item.language)} findings={item.findings} />
    </PictureCategory>
  );
}

/** The same over an `img` of the picture; the element around it is positioned. */
export function ItemImageMarks({ fit, ...props }: ItemMarksProps & { fit: "contain" | "cover" }) {
  if (!props.view?.Overlay) return null;
  return (
    <ImageMarks size={props.item.image} fit={fit}>
      <ItemMarks {...props} />
    </ImageMarks>
  );
}
