/** Fetches and decodes the next pictures, so that the next one is there before the key is released. */
import { useEffect, useReducer, useState } from "react";
import { PictureShelf } from "./pictureShelf";

/** How many of the addresses ahead are decoded and ready to be painted. */
export function usePicturesAhead(open: string | null, ahead: readonly string[]): number {
  const [, show] = useReducer((count: number) => count + 1, 0);
  const [shelf] = useState(() => new PictureShelf(show));
  const key = ahead.join("\n");
  useEffect(() => {
    shelf.want(open, key === "" ? [] : key.split("\n"));
  }, [shelf, open, key]);
  useEffect(() => () => shelf.clear(), [shelf]);
  return ahead.filter((address) => shelf.isReady(address)).length;
}
