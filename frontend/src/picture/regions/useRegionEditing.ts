/** What editing regions is, apart from how it is drawn: their changes, the open list of labels, keys and pointers. */
import { useContext, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useActions } from "@/ui/keys";
import { SurfaceContext, usePictureTool } from "../surface";
import { focusedRegionActions, pictureRegionActions, type RegionContext } from "./actions";
import { cursorAt, newBox, startGesture, type RegionPointing } from "./gestures";
import type { LabelChoice } from "./labels";
import { useGhost } from "./RegionGhost";
import { newKey, type Box, type Region } from "./regions";
import type { RegionViews } from "./RegionLayer";
import { useAnnouncements } from "./useAnnouncements";
import { useRegions } from "./useRegions";

/** Regions are labelled with codes from a list. */
export interface RegionLabels {
  choices: readonly LabelChoice[];
  /** Codes of the labels used last, the latest first. */
  recent: readonly string[];
  onUsed: (code: string) => void;
}

export interface RegionEditing<R extends Region> {
  /** The selected one is shown as such, but has not the focus: a field beside the picture has it. */
  isFocusElsewhere?: boolean | undefined;
  onSelect: (key: string | null) => void;
  /** The regions after a gesture or a key; never in the middle of a gesture. */
  onChange: (regions: readonly R[]) => void;
  /** A region that was just drawn. */
  create: (key: string, box: Box) => R;
  /** With it, a list of labels opens after a region was drawn, and on Enter. */
  labels?: RegionLabels | undefined;
}

/** The region whose list of labels is open. `isDrawn`: it was just drawn with a pointer, and the next one follows. */
interface Labelling {
  readonly key: string;
  readonly isDrawn: boolean;
}

const ACTIONS = [...focusedRegionActions, ...pictureRegionActions];

interface Elements {
  layer: RefObject<SVGGElement | null>;
  ghost: RefObject<SVGGElement | null>;
}

export function useRegionEditing<R extends Region>(props: RegionViews<R> & RegionEditing<R>, elements: Elements) {
  const { picture, nameOf, selected = null, isFocusElsewhere = false, onSelect, create, labels } = props;
  const { layer } = elements;
  const { t } = useTranslation("picture");
  const surface = useContext(SurfaceContext);
  const ghost = useGhost(elements.ghost);
  const wasStepped = useStepRuns();
  const { regions, change, canUndo, canRedo } = useRegions(props);
  const [labelling, setLabelling] = useState<Labelling | null>(null);
  const [isFocused, setIsFocused] = useState(false);
  const announcements = useAnnouncements(regions, nameOf);
  const chosen = regions.find(({ key }) => key === selected) ?? null;
  const labelled = labelling && (regions.find(({ key }) => key === labelling.key) ?? null);
  const lastLabel = labels?.choices.find(({ code }) => code === labels.recent[0]);

  const isLabelling = labelled !== null;
  useFocusOn(layer, isLabelling || isFocusElsewhere ? null : (chosen?.key ?? null));
  useKeptFocus(layer, isFocused, regions);

  function select(key: string | null) {
    setLabelling(null);
    if (key !== selected || isFocusElsewhere) onSelect(key);
    if (key === null) layer.current?.focus({ preventScroll: true });
    else focusRegion(layer.current, key);
  }
  function add(box: Box, isDrawn: boolean) {
    const key = newKey(regions);
    const after = change({ type: "add", region: create(key, box) });
    onSelect(key);
    announcements.changed(after, (what, drawn) => (drawn ? t("regions.drawn", { place: announcements.placeText(drawn.box) }) : what));
    if (labels) setLabelling({ key, isDrawn });
  }
  function step(type: "move" | "resize", by: { x: number; y: number }) {
    if (chosen === null) return;
    const { key } = chosen;
    announcements.changed(change({ type, key, by, isRepeat: wasStepped(key, type) }));
  }
  function label(key: string, code: string) {
    // A region's own fields may be more than a label; what has a label has this one.
    const after = change({ type: "edit", key, values: { label: code } as Partial<Omit<R, "key" | "box">> });
    labels?.onUsed(code);
    announcements.changed(after);
  }

  const context: RegionContext = {
    isSelected: chosen !== null,
    isFocused: isFocused && chosen !== null && !isLabelling,
    hasLabels: labels !== undefined,
    lastLabel: lastLabel?.name ?? "",
    canUndo,
    canRedo,
    draw: () => surface && add(newBox(surface.inView, picture, regions), false),
    move: (by) => step("move", by),
    resize: (by) => step("resize", by),
    openLabels: () => chosen && setLabelling({ key: chosen.key, isDrawn: false }),
    useLastLabel: () => {
      if (chosen && lastLabel) label(chosen.key, lastLabel.code);
    },
    duplicate: () => {
      if (chosen === null) return;
      const key = newKey(regions);
      const after = change({ type: "duplicate", key: chosen.key, newKey: key });
      onSelect(key);
      announcements.changed(after, () => t("regions.duplicated", { name: nameOf(chosen) }));
    },
    remove: () => {
      if (chosen === null) return;
      announcements.changed(change({ type: "remove", key: chosen.key }));
      select(null);
    },
    undo: () => announcements.changed(change({ type: "undo" }), (what) => t("regions.undone", { what })),
    redo: () => announcements.changed(change({ type: "redo" }), (what) => t("regions.redone", { what })),
    deselect: () => select(null),
  };
  useActions(ACTIONS, context);

  const pointing = (): RegionPointing<R> => ({
    regions,
    selected: chosen,
    picture,
    pixel: surface?.pixel ?? 1,
    ghost,
    onDrawn: (box) => add(box, true),
    onPlaced: (key, box) => {
      announcements.changed(change({ type: "place", key, box }));
      focusRegion(layer.current, key);
    },
    onTapped: (key) => {
      // One that is selected beside the picture only gets the focus.
      const isAgain = key !== null && key === selected && !isFocusElsewhere;
      select(key);
      if (isAgain && labels) setLabelling({ key, isDrawn: false });
    },
  });
  usePictureTool(surface, {
    start: (press) => {
      setLabelling(null);
      return startGesture(pointing(), press);
    },
    hover: (at) => cursorAt(pointing(), at),
  });

  return {
    surface,
    regions,
    chosen,
    labelled,
    done: announcements.text,
    onFocused: setIsFocused,
    choose: (code: string) => {
      if (labelling === null) return;
      label(labelling.key, code);
      setLabelling(null);
      // After a box drawn with the pointer the next one follows; what keys drew is still to be moved.
      if (labelling.isDrawn) select(null);
    },
    /** `isLeft`: the focus went elsewhere by itself. */
    closeLabels: (isLeft: boolean) => {
      setLabelling(null);
      if (!isLeft && labelling) focusRegion(layer.current, labelling.key);
    },
  };
}

/** Gives the focus to the region of this key whenever it becomes another one. */
function useFocusOn(layer: RefObject<SVGGElement | null>, key: string | null): void {
  useLayoutEffect(() => {
    if (key !== null) focusRegion(layer.current, key);
  }, [layer, key]);
}

/** Keeps the focus on the layer when the region that has it goes, as by undoing what drew it. */
function useKeptFocus(layer: RefObject<SVGGElement | null>, isFocused: boolean, regions: readonly Region[]): void {
  useLayoutEffect(() => {
    if (isFocused && document.activeElement === document.body) layer.current?.focus({ preventScroll: true });
  }, [layer, isFocused, regions]);
}

function focusRegion(layer: SVGGElement | null, key: string): void {
  const element = layer?.querySelector<SVGGElement>(`[data-region="${key}"]`);
  if (element && document.activeElement !== element) element.focus({ preventScroll: true });
}

/** Milliseconds between two steps of one run. */
const RUN_MS = 600;

/** Whether a step with an arrow key continues the one before: then both are undone at once. */
function useStepRuns(): (key: string, type: string) => boolean {
  const last = useRef({ name: "", at: 0 });
  return (key, type) => {
    const name = `${type} ${key}`;
    const now = performance.now();
    const goesOn = last.current.name === name && now - last.current.at < RUN_MS;
    last.current = { name, at: now };
    return goesOn;
  };
}
