/** Regions that are drawn, moved, resized, named and deleted, with a pointer, a finger or keys alone. */
import { useRef, type FocusEvent, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Surface } from "../surface";
import { HANDLES, placeOf } from "./hits";
import { LabelBox } from "./LabelBox";
import { placeBeside } from "./placeBeside";
import { RegionGhost } from "./RegionGhost";
import { PLAIN, type RegionViews } from "./RegionLayer";
import { isAtTop, type Box, type Region } from "./regions";
import { RegionShape } from "./RegionShape";
import { useRegionEditing, type RegionEditing } from "./useRegionEditing";

export function EditedRegions<R extends Region>(props: RegionViews<R> & RegionEditing<R>) {
  const { picture, nameOf, lookOf, selected, isFocusElsewhere = false, onSelect, labels } = props;
  const { t } = useTranslation("picture");
  const layer = useRef<SVGGElement>(null);
  const ghost = useRef<SVGGElement>(null);
  const { surface, regions, chosen, labelled, done, onFocused, choose, closeLabels } = useRegionEditing(props, { layer, ghost });
  return (
    <>
      <g
        ref={layer}
        role="application"
        aria-label={t("regions.group")}
        className="regions regions-edited"
        tabIndex={-1}
        onFocus={({ target }) => {
          const key = target.getAttribute("data-region");
          onFocused(key !== null);
          if (key !== null && (key !== selected || isFocusElsewhere)) onSelect(key);
        }}
        onBlur={(event: FocusEvent) => {
          if (!event.currentTarget.contains(event.relatedTarget)) onFocused(false);
        }}
      >
        {regions.map((region, at) => (
          <RegionShape
            key={region.key}
            regionKey={region.key}
            box={region.box}
            name={nameOf(region)}
            look={lookOf?.(region) ?? PLAIN}
            isSelected={region === chosen}
            isAtTop={isAtTop(region, picture)}
            number={at + 1}
            count={regions.length}
            isEdited
          />
        ))}
        {chosen && <Handles box={chosen.box} />}
        <RegionGhost ref={ghost} />
      </g>
      {surface && (
        <OverPicture surface={surface}>
          <p role="status" className="visually-hidden">
            {done}
          </p>
          {labelled && labels && (
            <LabelBox
              key={labelled.key}
              choices={labels.choices}
              recent={labels.recent}
              value={labelled.label ?? ""}
              title={t("regions.labels.title")}
              onClose={closeLabels}
              onChoose={choose}
              place={(element) => placeBeside(element, labelled.box, surface)}
            />
          )}
        </OverPicture>
      )}
    </>
  );
}

/** Boxes of the page over the picture. */
function OverPicture({ surface, children }: { surface: Surface; children: ReactNode }) {
  const { host } = surface;
  return host && createPortal(children, host);
}

function Handles({ box: [x, y, width, height] }: { box: Box }) {
  return (
    <g className="region-handles" aria-hidden="true">
      {HANDLES.map((handle) => {
        const place = placeOf(handle);
        return (
          <g key={handle} transform={`translate(${x + place.x * width} ${y + place.y * height})`}>
            <circle className="mark region-handle" />
          </g>
        );
      })}
    </g>
  );
}
