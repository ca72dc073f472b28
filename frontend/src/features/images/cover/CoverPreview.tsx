/** How covered regions will look, made in the browser from the picture as it is shown. */
import { useEffect, useState } from "react";
import type { Size } from "@/picture/geometry";
import type { Box } from "@/picture/regions/regions";
import { isFilledAnyway, type Cover } from "./covers";

/** As on the server (curation/images/rules/covering.py): a region grows by 15 % on each side and to multiples of 16 pixels. */
const GROWTH = 0.15;
const GRID = 16;
const CELLS = 4;
const BORDER = 8;

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
  const covered = covers.filter(({ status }) => status === "covered").map((cover) => ({ ...cover, box: grownBox(cover.box, picture), style: isFilledAnyway(cover) ? "fill" : cover.style }));
  // As on the server: the filled ones last, so that nothing shows through them.
  covered.sort((one, other) => Number(one.style === "fill") - Number(other.style === "fill"));
  const areas = covered.map(({ box }) => box);
  return (
    <g aria-hidden="true" pointerEvents="none">
      {covered.map((cover) => {
        const [x, y, width, height] = cover.box;
        if (cover.style === "fill") return <rect key={cover.key} x={x} y={y} width={width} height={height} fill={borderColour(image, cover.box, areas, picture)} />;
        return (
          <image
            key={cover.key}
            href={cells(image, cover.box, picture)}
            x={x}
            y={y}
            width={width}
            height={height}
            preserveAspectRatio="none"
            style={{ imageRendering: cover.style === "pixelate" ? "pixelated" : "auto" }}
          />
        );
      })}
    </g>
  );
}

/** The part of the picture in a few cells, as the address of a picture. */
function cells(image: HTMLImageElement, [x, y, width, height]: Box, picture: Size): string {
  const scale = image.naturalWidth / picture.width;
  const canvas = document.createElement("canvas");
  const shorter = Math.min(width, height);
  canvas.width = Math.max(1, Math.round((width / shorter) * CELLS));
  canvas.height = Math.max(1, Math.round((height / shorter) * CELLS));
  const context = canvas.getContext("2d");
  if (context === null) return "";
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, x * scale, y * scale, width * scale, height * scale, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

/** The mean colour of the pixels around an area that nothing covers. */
function borderColour(image: HTMLImageElement, [x, y, width, height]: Box, areas: readonly Box[], picture: Size): string {
  const scale = image.naturalWidth / picture.width;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round((width + 2 * BORDER) * scale));
  canvas.height = Math.max(1, Math.round((height + 2 * BORDER) * scale));
  const context = canvas.getContext("2d");
  if (context === null) return meanColour([]);
  const [left, top] = [x - BORDER, y - BORDER];
  context.drawImage(image, -left * scale, -top * scale);
  for (const area of areas) context.clearRect((area[0] - left) * scale, (area[1] - top) * scale, area[2] * scale, area[3] * scale);
  return meanColour(context.getImageData(0, 0, canvas.width, canvas.height).data);
}

/** The mean of the opaque pixels of RGBA values; grey if there are none. */
export function meanColour(values: ArrayLike<number>): string {
  const sums = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < values.length; at += 4) {
    if (values[at + 3] !== 255) continue;
    count += 1;
    for (let part = 0; part < 3; part += 1) sums[part] = (sums[part] ?? 0) + (values[at + part] ?? 0);
  }
  return `rgb(${sums.map((sum) => (count === 0 ? 128 : Math.round(sum / count))).join(" ")})`;
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
