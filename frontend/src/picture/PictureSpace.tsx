/** A picture and what is beside it: panels inside the same space draw on the picture. */
import { useContext, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { useStore } from "@/store/useStore";
import { Space, SpaceContext, SurfaceContext } from "./surface";

/** Holds one `Stage` and the panels that belong to it. It never renders again by itself: only `OnPicture` follows the picture. */
export function PictureSpace({ children }: { children: ReactNode }) {
  const [space] = useState(() => new Space());
  return <SpaceContext value={space}>{children}</SpaceContext>;
}

/** Draws on the picture of the space, in picture pixels; nothing where no picture is shown. */
export function OnPicture({ children }: { children: ReactNode }) {
  const space = useContext(SpaceContext);
  return space && <Drawn space={space}>{children}</Drawn>;
}

function Drawn({ space, children }: { space: Space; children: ReactNode }) {
  const shown = useStore(space);
  return shown && createPortal(<SurfaceContext value={shown.surface}>{children}</SurfaceContext>, shown.element);
}
