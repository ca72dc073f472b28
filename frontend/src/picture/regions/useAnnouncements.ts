/** What was just done to regions, as the status beside the picture says it to those who do not see it. */
import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { onlyDifference, type Difference } from "./differences";
import { isEqual, type Box, type Region } from "./regions";

/** At the end of a text that is the same as the one before, so that it is announced again. */
const AGAIN = "\u00a0";

export function useAnnouncements<R extends Region>(regions: readonly R[], nameOf: (region: R) => string) {
  const { t } = useTranslation("picture");
  const placeText = usePlaceText();
  const [text, setText] = useState("");
  /** The regions that the last announcement is about. */
  const announced = useRef(regions);

  const announce = (next: string) => setText((last) => (last === next ? next + AGAIN : next));
  const differenceText = (difference: Difference<R>): string => {
    const { region } = difference;
    switch (difference.type) {
      case "placed":
        return placeText(region.box);
      case "labelled":
        return t("regions.labelled", { label: nameOf(region) });
      default:
        return t(`regions.${difference.type}`, { name: nameOf(region), count: difference.left });
    }
  };

  // What was changed beside the picture, such as in a list of the regions.
  useLayoutEffect(() => {
    if (isEqual(announced.current, regions)) return;
    const difference = onlyDifference(announced.current, regions);
    announced.current = regions;
    if (difference) announce(differenceText(difference));
  });

  return {
    text,
    /** Announce a change that was made here; `textOf` puts what differs into words of its own. */
    changed: (after: readonly R[], textOf: (what: string, region: R | undefined) => string = (what) => what) => {
      if (isEqual(announced.current, after)) return;
      const difference = onlyDifference(announced.current, after);
      announced.current = after;
      announce(textOf(difference ? differenceText(difference) : t("regions.several"), difference?.region));
    },
    placeText,
  };
}

function usePlaceText(): (box: Box) => string {
  const { t } = useTranslation("picture");
  const format = useFormat();
  return ([x, y, width, height]) =>
    t("regions.placed", { x: format.number(x, 2), y: format.number(y, 2), width: format.number(width, 2), height: format.number(height, 2) });
}
