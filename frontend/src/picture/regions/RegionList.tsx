/** The regions of a picture as a list beside it. */
import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import type { Region } from "./regions";
import type { RegionLook } from "./RegionShape";
import { COLOURS } from "./RegionShape";
import "./regions.css";

interface RegionListProps<R extends Region> {
  regions: readonly R[];
  /** What the list is called. */
  label: string;
  nameOf: (region: R) => string;
  lookOf?: ((region: R) => RegionLook) | undefined;
  selected?: string | null | undefined;
  /** Without it the list is only read. */
  onSelect?: ((key: string) => void) | undefined;
  onRemove?: ((key: string) => void) | undefined;
  /** More about a region, below its name. */
  noteOf?: ((region: R) => ReactNode) | undefined;
  /** Buttons of the page's own, such as to confirm it. */
  actionsOf?: ((region: R) => ReactNode) | undefined;
}

export function RegionList<R extends Region>(props: RegionListProps<R>) {
  const { regions, label, nameOf, lookOf, selected = null, onSelect, onRemove, noteOf, actionsOf } = props;
  const { t } = useTranslation("picture");
  const format = useFormat();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (selected !== null) list.current?.querySelector("[data-selected]")?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const removeAt = useFocusAfterRemoval(list, regions.length);
  // One that becomes selected gets the focus on the picture; one that is selected already gets it back, for the arrow keys.
  const pick = (key: string) => {
    onSelect?.(key);
    if (key === selected) document.querySelector<SVGGElement>(`.stage [data-region="${key}"]`)?.focus({ preventScroll: true });
  };
  return (
    <ol ref={list} className="region-list" aria-label={label} data-testid="region-list">
      {regions.map((region, at) => {
        const { colour = 0, tone, icon } = lookOf?.(region) ?? {};
        const name = nameOf(region);
        const [, , width, height] = region.box;
        const text = (
          <>
            <span className="region-list-number">{at + 1}</span>
            <span className="region-list-name">
              {icon !== undefined && `${icon} `}
              {name}
            </span>
            <span className="region-list-size">{t("regions.size", { width: format.number(width), height: format.number(height) })}</span>
          </>
        );
        return (
          <li
            key={region.key}
            data-selected={region.key === selected || undefined}
            data-colour={tone === undefined ? colour % COLOURS : undefined}
            data-tone={tone}
            data-testid="region-row"
          >
            {onSelect ? (
              <button type="button" className="region-list-pick" aria-current={region.key === selected} onClick={() => pick(region.key)}>
                {text}
              </button>
            ) : (
              <span className="region-list-pick">{text}</span>
            )}
            {actionsOf?.(region)}
            {onRemove && (
              <button
                type="button"
                className="region-list-remove"
                aria-label={t("regions.removeNamed", { name, number: at + 1 })}
                onClick={() => {
                  removeAt(at);
                  onRemove(region.key);
                }}
              >
                ✕
              </button>
            )}
            {noteOf && <div className="region-list-note">{noteOf(region)}</div>}
          </li>
        );
      })}
    </ol>
  );
}

/** Gives the focus to the row that takes the place of a removed one, or to the picture when the list is empty. */
function useFocusAfterRemoval(list: RefObject<HTMLOListElement | null>, count: number): (at: number) => void {
  const removed = useRef<number | null>(null);
  useLayoutEffect(() => {
    const at = removed.current;
    removed.current = null;
    if (at === null || document.activeElement !== document.body) return;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(":scope > li > .region-list-remove") ?? [];
    (buttons[Math.min(at, buttons.length - 1)] ?? drawingLayer())?.focus({ preventScroll: true });
  }, [list, count]);
  // A list that is gone with its last row cannot do it.
  useEffect(
    () => () => {
      if (removed.current !== null && document.activeElement === document.body) drawingLayer()?.focus({ preventScroll: true });
    },
    [],
  );
  return (at) => {
    removed.current = at;
  };
}

function drawingLayer(): SVGGElement | null {
  return document.querySelector<SVGGElement>(".stage .regions-edited");
}
