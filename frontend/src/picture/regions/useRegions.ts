/** The regions of a picture with their history. What they are belongs to the page, which hears of each change. */
import { useLayoutEffect, useRef, useState } from "react";
import type { Size } from "../geometry";
import { changeRegions, isEqual, startRegions, type Region, type RegionChange, type RegionHistory } from "./regions";

interface RegionsOptions<R extends Region> {
  regions: readonly R[];
  picture: Size;
  onChange: (regions: readonly R[]) => void;
}

export function useRegions<R extends Region>({ regions, picture, onChange }: RegionsOptions<R>) {
  const [held, setHeld] = useState<RegionHistory<R>>(() => startRegions(regions));
  // What was changed beside the picture can be undone here, too.
  const history = isEqual(held.present, regions) ? held : changeRegions(held, { type: "replace", regions }, picture);
  if (history !== held) setHeld(history);
  // Keys may come faster than renderings.
  const latest = useRef(history);
  useLayoutEffect(() => {
    latest.current = history;
  }, [history]);
  const change = (by: RegionChange<R>): readonly R[] => {
    const next = changeRegions(latest.current, by, picture);
    if (next !== latest.current) {
      latest.current = next;
      setHeld(next);
      onChange(next.present);
    }
    return next.present;
  };
  return { regions: history.present, change, canUndo: history.past.length > 0, canRedo: history.future.length > 0 };
}
