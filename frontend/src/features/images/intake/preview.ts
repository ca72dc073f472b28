/**
 * Small pictures of chosen files, made in this page and one at a time, for a telephone's photograph takes 50 MB of
 * memory while it is decoded.
 */

const SIDE = 240;
const made = new WeakMap<File, Promise<string | null>>();
let line: Promise<unknown> = Promise.resolve();

/** Address of a small picture, or null for what the browser cannot read. */
export function previewOf(file: File): Promise<string | null> {
  let preview = made.get(file);
  if (!preview) {
    preview = line.then(() => shrink(file)).catch(() => null);
    line = preview;
    made.set(file, preview);
  }
  return preview;
}

async function shrink(file: File): Promise<string | null> {
  const bitmap = await createImageBitmap(file, { resizeWidth: SIDE, resizeQuality: "medium", imageOrientation: "from-image" });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return URL.createObjectURL(await canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 }));
}
