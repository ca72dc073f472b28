/** One text above a picture: the person points at what it means. Nothing here says what is right. */
import { useContext, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Clicking } from "@/api/types";
import { useFormat } from "@/i18n/format";
import type { Point } from "@/picture/geometry";
import { OnPicture, PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { clampToPicture, SpaceContext, SurfaceContext, usePictureTool } from "@/picture/surface";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { clickActions } from "./actions";
import type { ClickAnswer, ClickingWork } from "./useClicking";
import styles from "./clicking.module.css";

/** Pixels of the screen that an arrow key moves the crosshair. */
const STEP = 4;
/** Milliseconds after a text is shown in which a press is the rest of a double click. */
const DOUBLE_CLICK_MS = 400;

interface ClickItemProps {
  item: Clicking;
  work: ClickingWork;
  onLeave: () => void;
}

export function ClickItem(props: ClickItemProps) {
  return (
    <PictureSpace>
      <TextToFind {...props} />
    </PictureSpace>
  );
}

function TextToFind({ item, work, onLeave }: ClickItemProps) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const space = useContext(SpaceContext);
  const [at, setAt] = useState<Point | null>(null);
  const shownAt = useShownAt(`${item.id}-${item.position}`, () => setAt(null));
  const isTouch = useRef(false);
  const { image } = item;
  const { isBusy, isStuck, error } = work;
  const answer = (given: ClickAnswer) => work.answer(item, given, shownAt());

  function move(by: Point) {
    const surface = space?.snapshot()?.surface;
    const pixel = surface?.pixel ?? 1;
    const { x, y, width, height } = surface?.inView ?? { x: 0, y: 0, ...image };
    const from = at ?? { x: x + width / 2, y: y + height / 2 };
    setAt(clampToPicture({ x: from.x + by.x * STEP * pixel, y: from.y + by.y * STEP * pixel }, image));
  }
  function tap(to: Point) {
    if (isBusy || shownAt() < DOUBLE_CLICK_MS) return;
    const point = clampToPicture(to, image);
    setAt(point);
    // A finger hides what is under it: it only moves the crosshair.
    if (!isTouch.current) answer({ answer: "point", at: point });
  }
  const keys = {
    point: at === null || isBusy ? null : () => answer({ answer: "point", at }),
    notFound: isBusy ? null : () => answer({ answer: "not_found" }),
    several: isBusy ? null : () => answer({ answer: "several" }),
  };
  useActions(clickActions, { ...keys, move, leave: onLeave });
  return (
    <div className={styles.click} data-testid="click-item" data-position={item.position}>
      <div className={styles.head}>
        <p className={styles.text} lang={item.language.lang} dir={item.language.dir} aria-live="polite" data-testid="text-to-find">
          {item.text}
        </p>
        <span className="tiny number" data-testid="click-position">
          {t("click.position", { position: item.position, count: item.count })}
        </span>
      </div>
      {isStuck && (
        <Notice
          tone="warn"
          action={
            <Button small onClick={work.retry} data-testid="send-again">
              {t("click.sendAgain")}
            </Button>
          }
        >
          <span data-testid="click-unsent">{t("click.unsent")}</span>
        </Notice>
      )}
      {error && <Problem error={error} />}
      <div className={styles.stage} onPointerDownCapture={(event) => (isTouch.current = event.pointerType === "touch")} data-busy={isBusy || undefined}>
        <Stage view={image.view_url} clean={image.clean_url} width={image.width} height={image.height} label={t("click.picture")} />
      </div>
      <OnPicture>
        <Crosshair at={at} onTap={tap} />
      </OnPicture>
      <p className="visually-hidden" role="status">
        {at !== null && t("click.crosshair", { x: format.number(at.x, 0), y: format.number(at.y, 0) })}
      </p>
      <div className={styles.answers}>
        <Button look="primary" keys="Enter" disabled={at === null} busy={isBusy && !isStuck} onClick={() => keys.point?.()} data-testid="answer-point">
          {t("click.point")}
        </Button>
        <Button keys="x" disabled={isBusy} onClick={() => keys.notFound?.()} data-testid="answer-not-found">
          {t("click.notFound")}
        </Button>
        <Button keys="m" disabled={isBusy} onClick={() => keys.several?.()} data-testid="answer-several">
          {t("click.several")}
        </Button>
      </div>
    </div>
  );
}

/** Milliseconds since a text is shown; `onNew` is called for each new one. */
function useShownAt(text: string, onNew: () => void): () => number {
  const since = useRef(0);
  const [shown, setShown] = useState(text);
  if (shown !== text) {
    setShown(text);
    onNew();
  }
  useEffect(() => {
    since.current = performance.now();
  }, [text]);
  return () => Math.round(performance.now() - since.current);
}

/** Where the answer will be; a press on the picture puts it there. */
function Crosshair({ at, onTap }: { at: Point | null; onTap: (at: Point) => void }) {
  usePictureTool(useContext(SurfaceContext), { tap: onTap });
  if (at === null) return null;
  return (
    <g transform={`translate(${at.x} ${at.y})`} aria-hidden="true" data-testid="crosshair">
      <g className={`mark ${styles.crosshair}`}>
        <circle className="mark-halo" r={9} />
        <circle className="mark-ring" r={9} />
        <path className="mark-halo" d="M-22 0H-4M4 0H22M0 -22V-4M0 4V22" />
        <path className="mark-ring" d="M-22 0H-4M4 0H22M0 -22V-4M0 4V22" />
      </g>
    </g>
  );
}
