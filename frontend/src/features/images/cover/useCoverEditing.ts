/** The decisions on one picture, and the keys that make them. */
import { useMemo, useState } from "react";
import type { CoverDetail, CoverRegion } from "@/api/types";
import { useActions } from "@/ui/keys";
import { coverActions } from "./coverActions";
import { confirmed, exempted, hasCovered, openCovers, proposedCovers, regionsToSend, undoneCovers, type Cover } from "./covers";

export interface CoverProps {
  slug: string;
  detail: CoverDetail;
  hasNext: boolean;
  canUndo: boolean;
  /** The decision on this picture is on its way; no other picture follows meanwhile. */
  isSending: boolean;
  /** The regions of this picture's decision if it was undone. */
  undone: readonly CoverRegion[];
  onNext: () => void;
  onPrevious: () => void;
  onUndo: () => void;
  onSave: (regions: CoverRegion[], isTicked: boolean) => void;
}

/** Whether this browser's person has read that covering is final. */
const READ = "lantern.cover.final";

export function useCoverEditing({ detail, hasNext, canUndo, isSending, undone, onNext, onPrevious, onUndo, onSave }: CoverProps) {
  const [covers, setCovers] = useState<readonly Cover[]>(() => (undone.length > 0 ? undoneCovers(detail, undone) : proposedCovers(detail)));
  const [selected, setSelected] = useState<string | null>(null);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const [exempting, setExempting] = useState<Cover | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [ticksAfter, setTicksAfter] = useState(true);
  const [isWarned, setIsWarned] = useState(false);
  const [saved, setSaved] = useState<CoverRegion[] | null>(null);
  const mayTick = detail.available_actions.includes("image_clear");
  const mayCover = detail.available_actions.includes("image_cover");

  // What the search finds while the picture is open joins what was drawn meanwhile.
  const [searched, setSearched] = useState(detail.proposals.length);
  if (detail.proposals.length !== searched) {
    setSearched(detail.proposals.length);
    const here = new Set(covers.map(({ key }) => key));
    setCovers([...covers, ...proposedCovers(detail).filter(({ key }) => !here.has(key))]);
  }
  const open = openCovers(covers);
  // Where one is left to decide on, it need not be selected first.
  const chosen = covers.find(({ key }) => key === selected) ?? (open.length === 1 ? open[0] : undefined);
  const regions = useMemo(() => regionsToSend(detail, covers), [detail, covers]);
  const canSave = mayCover && !isSending && open.length === 0 && regions.length > 0;
  const selectNextOpen = (than: string | null) => setSelected(open.find(({ key }) => key !== than)?.key ?? null);

  const send = () => {
    setSaved(regions);
    onSave(regions, mayTick && ticksAfter);
  };
  const save = () => {
    if (hasCovered(covers) && localStorage.getItem(READ) === null) setIsAsking(true);
    else send();
  };
  const agree = () => {
    localStorage.setItem(READ, "1");
    setIsAsking(false);
    send();
  };
  const confirm = () => {
    const keys = selected === null ? open.map(({ key }) => key) : [selected];
    setCovers(confirmed(covers, new Set(keys)));
    if (selected !== null) selectNextOpen(selected);
  };
  const remove = (key: string) => {
    setCovers(covers.filter((cover) => cover.key !== key));
    selectNextOpen(key);
  };
  const exempt = (reason: string) => {
    if (exempting === null) return;
    setCovers(exempted(covers, exempting.key, reason));
    selectNextOpen(exempting.key);
    setExempting(null);
  };
  const tick = () => onSave([], true);
  // Regions that are only proposed are proposed again.
  const isUntouched = open.length === covers.length && regions.length === open.length;
  // What was drawn or decided here is lost without saving: the first press says so, the second continues.
  const leave = (go: () => void) => () => {
    if (isUntouched || regions === saved || isWarned) go();
    else setIsWarned(true);
  };
  const next = leave(onNext);
  const undo = leave(onUndo);
  const preview = () => setIsPreviewed(!isPreviewed);
  useActions(coverActions, {
    ...{ open: open.length, isSelected: chosen !== undefined, canSave, isEmpty: regions.length === 0, mayTick, canUndo, isPreviewed, hasNext },
    ...{ next, previous: leave(onPrevious), undo, confirm, save, tick, preview },
    remove: () => {
      if (chosen) remove(chosen.key);
    },
    exempt: () => {
      if (chosen) setExempting(chosen);
    },
  });
  return {
    ...{ covers, setCovers, open, selected, setSelected, isPreviewed, preview, exempting, setExempting, exempt, isAsking, setIsAsking, agree },
    ...{ mayTick, mayCover, ticksAfter, setTicksAfter, canSave, isEmpty: regions.length === 0, save, tick, remove, next, undo },
    /** Whether leaving the page would lose decisions or regions. */
    isDirty: !isUntouched && regions !== saved,
    /** Whether saving covers something; otherwise it keeps why things stay visible. */
    isCovering: hasCovered(covers),
    /** How many regions are not saved, once someone was about to leave them. */
    unsaved: isWarned ? regions.length : 0,
  };
}

export type CoverEditing = ReturnType<typeof useCoverEditing>;
