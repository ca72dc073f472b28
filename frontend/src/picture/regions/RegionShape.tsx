/** One region as it is drawn: an edge that is as wide at every zoom, and its name. */
import { memo, useContext } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { VersionContext } from "../MarkVersion";
import type { Box } from "./regions";
import "../marks.css";
import "./regions.css";

/** How a region differs from others at a glance. What matters is in its name, too: colours alone say nothing. */
export interface RegionLook {
  /** One of eight colours, from 0; the first without it. */
  readonly colour?: number;
  /** Instead of a colour: what state it is in. */
  readonly tone?: "good" | "warn" | "bad" | "muted";
  readonly isDashed?: boolean;
  /** Shades what is inside. */
  readonly isFilled?: boolean;
  /** A sign before its name, such as ✓. */
  readonly icon?: string;
  /** What tone and sign mean, in words. */
  readonly state?: string;
  /** A class of the page's own style sheet. */
  readonly className?: string;
}

export const COLOURS = 8;

interface RegionShapeProps {
  regionKey: string;
  box: Box;
  /** What it is called. */
  name: string;
  look: RegionLook;
  isSelected: boolean;
  /** Whether its name goes below its upper edge, because there is no room above it on the picture. */
  isAtTop: boolean;
  /** Its number among all, and their number. */
  number: number;
  count: number;
  /** Whether it can get the focus; else it is only shown. */
  isEdited: boolean;
}

/** Drawn again only where something of its own changed: a key that is held down moves one of many. */
export const RegionShape = memo(Shape, (before, after) => {
  const { look, ...own } = after;
  return Object.entries(own).every(([name, value]) => before[name as keyof typeof own] === value) && JSON.stringify(before.look) === JSON.stringify(look);
});

function Shape(props: RegionShapeProps) {
  const { regionKey, box, name, look, isSelected, isAtTop, number, count, isEdited } = props;
  const { t } = useTranslation("picture");
  const format = useFormat();
  const version = useContext(VersionContext);
  const [x, y, width, height] = box;
  const place = { x: format.number(x, 2), y: format.number(y, 2), width: format.number(width, 2), height: format.number(height, 2) };
  const { colour = 0, tone, isDashed, isFilled, icon, state, className } = look;
  const inState = state === undefined ? name : t("regions.inState", { name, state });
  const label = version === null ? inState : t("version", { label: inState, version: version.name });
  // The names of two versions would be on top of each other: those of the second are at the lower edge.
  const isAtFoot = version?.side === "theirs";
  const rect = { x, y, width, height };
  return (
    <g
      className={className === undefined ? "region" : `region ${className}`}
      data-region={regionKey}
      data-colour={tone === undefined ? colour % COLOURS : undefined}
      data-tone={tone}
      data-dashed={isDashed}
      data-filled={isFilled}
      data-selected={isSelected || undefined}
      data-testid="region"
      role={isEdited ? "button" : "img"}
      aria-label={t("regions.name", { name: label, number, total: count, ...place })}
      aria-roledescription={isEdited ? t("regions.role") : undefined}
      aria-pressed={isEdited ? isSelected : undefined}
      tabIndex={isEdited ? 0 : undefined}
    >
      <rect className="region-halo" {...rect} />
      <rect className="region-edge" {...rect} />
      {(icon !== undefined || name !== "" || count > 1) && (
        <g transform={`translate(${x} ${isAtFoot ? y + height : y})`} aria-hidden="true">
          <text className="mark mark-name region-name" x={isAtTop || isAtFoot ? 5 : 1} y={isAtTop && !isAtFoot ? 16 : -5}>
            {count > 1 && number}
            <tspan className="region-label">
              {icon !== undefined && ` ${icon}`} {name}
            </tspan>
          </text>
        </g>
      )}
    </g>
  );
}
