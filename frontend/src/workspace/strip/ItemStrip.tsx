/**
 * The items of the package in a row, each with its state, to open any of them. It shows a bounded number at a time,
 * however many the package has. One tab stop: the arrows walk through the whole package, Home and End to its ends.
 */
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { keepFocus, useActions } from "@/ui/keys";
import { stripActions } from "./actions";
import { askingAfter, type MarkedPlace } from "./marks";
import styles from "./strip.module.css";

/** Items shown at a time. */
export const AT_A_TIME = 20;

interface ItemStripProps {
  places: readonly MarkedPlace[];
  /** The open item; null when everything is written. */
  current: number | null;
  onOpen: (itemId: number) => void;
}

export function ItemStrip({ places, current, onOpen }: ItemStripProps) {
  const { t } = useTranslation("workspace");
  const here = places.findIndex(({ id }) => id === current);
  // Where the person has moved to in the strip; opening an item leads back to that.
  const [moved, setMoved] = useState<{ from: number | null | undefined; to: number }>({ from: undefined, to: 0 });
  const at = Math.min(places.length - 1, moved.from === current ? moved.to : Math.max(0, here));
  const start = Math.floor(at / AT_A_TIME) * AT_A_TIME;
  const move = (to: number) => setMoved({ from: current, to: Math.min(places.length - 1, Math.max(0, to)) });

  const row = useRef<HTMLOListElement>(null);
  const takesFocus = useRef(false);
  useEffect(() => {
    const place = row.current?.querySelector<HTMLElement>("[tabindex='0']");
    if (takesFocus.current) place?.focus();
    else place?.scrollIntoView({ block: "nearest", inline: "nearest" });
    takesFocus.current = false;
  }, [at]);
  useActions(stripActions, { focus: () => row.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus() });

  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: places.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    takesFocus.current = true;
    move(to);
  };

  return (
    <nav className={styles.strip} aria-label={t("strip.label")} data-testid="strip">
      {places.length > AT_A_TIME && (
        <Button small look="plain" disabled={start === 0} aria-label={t("strip.before")} onMouseDown={keepFocus} onClick={() => move(start - AT_A_TIME)} data-testid="strip-before">
          ‹
        </Button>
      )}
      <ol ref={row} className={styles.places} onKeyDown={onKeyDown}>
        {places.slice(start, start + AT_A_TIME).map((place, index) => {
          const says = t("strip.place", { position: place.position, label: place.label, state: t(`strip.mark.${place.mark}`) });
          return (
            <li key={place.id}>
              <button
                type="button"
                className={styles.place}
                data-mark={place.mark}
                aria-current={place.id === current ? "true" : undefined}
                aria-label={says}
                title={says}
                tabIndex={start + index === at ? 0 : -1}
                onMouseDown={keepFocus}
                onClick={() => onOpen(place.id)}
                data-testid={`place-${place.label}`}
              >
                {place.position}
              </button>
            </li>
          );
        })}
      </ol>
      {places.length > AT_A_TIME && (
        <Button
          small
          look="plain"
          disabled={start + AT_A_TIME >= places.length}
          aria-label={t("strip.after")}
          onMouseDown={keepFocus}
          onClick={() => move(start + AT_A_TIME)}
          data-testid="strip-after"
        >
          ›
        </Button>
      )}
      <span className={styles.asking}>
        {askingAfter(places, places[here]?.position ?? 0).map(({ mark, count, next }) => (
          <button key={mark} type="button" className="chip" onMouseDown={keepFocus} onClick={() => onOpen(next.id)} data-testid={`strip-${mark}`}>
            {t(`strip.next.${mark}`, { count })}
          </button>
        ))}
      </span>
    </nav>
  );
}
