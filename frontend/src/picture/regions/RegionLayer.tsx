/**
 * Regions on a picture: shown, drawn and changed, or below a point that is asked for. It is SVG in the picture's own pixels
 * and belongs inside a `Stage`, or beside one in `OnPicture`. Covering, boxes, clicks and predicted boxes all are drawn here.
 */
import { useTranslation } from "react-i18next";
import type { Point, Size } from "../geometry";
import { PointMark } from "../PointMark";
import { EditedRegions } from "./EditedRegions";
import { isAtTop, type Region } from "./regions";
import { RegionShape, type RegionLook } from "./RegionShape";
import type { RegionEditing } from "./useRegionEditing";

export interface RegionViews<R extends Region> {
  regions: readonly R[];
  /** The picture's natural size. */
  picture: Size;
  /** What a region is called, in the reader's language. */
  nameOf: (region: R) => string;
  /** How it is drawn; the returned object may be a new one each time. */
  lookOf?: ((region: R) => RegionLook) | undefined;
  /** The key of the selected one. */
  selected?: string | null | undefined;
}

interface Shown<R extends Region> extends RegionViews<R> {
  mode: "show";
}

interface Edited<R extends Region> extends RegionViews<R>, RegionEditing<R> {
  mode: "edit";
}

/** A point is asked for: a press puts it there, arrow keys move it. */
interface Pointed<R extends Region> extends RegionViews<R> {
  mode: "point";
  /** Null while there is none. */
  point: Point | null;
  onPoint: (at: Point) => void;
  /** Whether the point has the focus. */
  isPointSelected?: boolean;
  onPointSelect?: () => void;
  /** What the point is called. */
  pointName: string;
}

export type RegionLayerProps<R extends Region> = Shown<R> | Edited<R> | Pointed<R>;

export function RegionLayer<R extends Region>(props: RegionLayerProps<R>) {
  if (props.mode === "edit") return <EditedRegions {...props} />;
  return (
    <>
      <ShownRegions {...props} />
      {props.mode === "point" && (
        <PointMark
          at={props.point}
          label={props.pointName}
          picture={props.picture}
          editor={{
            isSelected: props.isPointSelected ?? true,
            onSelect: () => props.onPointSelect?.(),
            onMove: props.onPoint,
            movesOnTap: true,
          }}
        />
      )}
    </>
  );
}

function ShownRegions<R extends Region>({ regions, picture, nameOf, lookOf, selected }: RegionViews<R>) {
  const { t } = useTranslation("picture");
  if (regions.length === 0) return null;
  return (
    <g role="group" aria-label={t("regions.group")} className="regions">
      {regions.map((region, at) => (
        <RegionShape
          key={region.key}
          regionKey={region.key}
          box={region.box}
          name={nameOf(region)}
          look={lookOf?.(region) ?? PLAIN}
          isSelected={region.key === selected}
          isAtTop={isAtTop(region, picture)}
          number={at + 1}
          count={regions.length}
          isEdited={false}
        />
      ))}
    </g>
  );
}

export const PLAIN: RegionLook = {};
