/** Fetches and decodes the next pictures, so that the next one is there before the key is released. */
import { useEffect, useReducer, useState } from "react";
import { PictureCache } from "./pictureCache";

/** How many of the addresses ahead are decoded and ready to be painted. */
export function usePreloadedPictures(open: string | null, ahead: readonly string[]): number {
  const [, show] = useReducer((count: number) => count + 1, 0);
  const [cache] = useState(() => new PictureCache(show));
  const key = ahead.join("\n");
  useEffect(() => {
    cache.want(open, key === "" ? [] : key.split("\n"));
  }, [cache, open, key]);
  useEffect(() => () => cache.clear(), [cache]);
  return ahead.filter((address) => cache.isReady(address)).length;
}
