/** How covered regions will look, made in the browser from the picture as it is shown. */
import { useEffect, useState } from "react";
import type { Size } from "@/picture/geometry";
import type { Box } from "@/picture/regions/regions";
import { isFilledAnyway, type Cover } from "./covers";

/** As on the server (curation/images/rules/covering.py): a region grows by 15 % on each side and to multiples of 16 pixels. */
const GROWTH = 0.15;
const GRID = 16;
const CELLS = 4;

export function grownBox([x, y, width, height]: Box, picture: Size): Box {
  const down = (value: number) => Math.max(0, Math.floor(value / GRID) * GRID);
  const up = (value: number, most: number) => Math.min(most, Math.ceil(value / GRID) * GRID);
  const left = down(x - width * GROWTH);
  const top = down(y - height * GROWTH);
  const right = up(x + width * (1 + GROWTH), picture.width);
  const bottom = up(y + height * (1 + GROWTH), picture.height);
  return [left, top, Math.max(1, right - left), Math.max(1, bottom - top)];
}

export function CoverPreview({ covers, view, picture }: { covers: readonly Cover[]; view: string; picture: Size }) {
  const image = useDecoded(view);
  if (image === null) return null;
  return (
    <g aria-hidden="true" pointerEvents="none">
      {covers
        .filter(({ status }) => status === "covered")
        .map((cover) => {
          const [x, y, width, height] = grownBox(cover.box, picture);
          const style = isFilledAnyway(cover) ? "fill" : cover.style;
          return (
            <image
              key={cover.key}
              href={cells(image, [x, y, width, height], picture, style === "fill" ? 1 : CELLS)}
              x={x}
              y={y}
              width={width}
              height={height}
              preserveAspectRatio="none"
              style={{ imageRendering: style === "pixelate" ? "pixelated" : "auto" }}
            />
          );
        })}
    </g>
  );
}

/** The part of the picture in a few cells, as the address of a picture. */
function cells(image: HTMLImageElement, [x, y, width, height]: Box, picture: Size, along: number): string {
  const scale = image.naturalWidth / picture.width;
  const canvas = document.createElement("canvas");
  const shorter = Math.min(width, height);
  canvas.width = along === 1 ? 1 : Math.max(1, Math.round((width / shorter) * along));
  canvas.height = along === 1 ? 1 : Math.max(1, Math.round((height / shorter) * along));
  const context = canvas.getContext("2d");
  if (context === null) return "";
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, x * scale, y * scale, width * scale, height * scale, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

function useDecoded(url: string): HTMLImageElement | null {
  const [decoded, setDecoded] = useState<HTMLImageElement | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const image = new Image();
    image.src = url;
    image.decode().then(
      () => {
        if (isCurrent) setDecoded(image);
      },
      () => undefined, // The stage says that the picture cannot be shown.
    );
    return () => {
      isCurrent = false;
    };
  }, [url]);
  return decoded;
}
