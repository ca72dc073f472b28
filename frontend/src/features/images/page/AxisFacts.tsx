/** A picture's values of further dimensions, as entries of its list of facts. */
import { Fragment } from "react";
import type { Axis, ImageDetail } from "@/api/types";
import { useLocalised } from "@/i18n/localised";

export function AxisFacts({ image, axes }: { image: ImageDetail; axes: readonly Axis[] }) {
  const name = useLocalised();
  return axes
    .filter((axis) => image.axes[axis.code] !== undefined)
    .map((axis) => (
      <Fragment key={axis.code}>
        <dt>{name(axis.name)}</dt>
        <dd>{name(axis.values.find((value) => value.slug === image.axes[axis.code])?.name) || image.axes[axis.code]}</dd>
      </Fragment>
    ));
}
