/** Fetches and decodes the next pictures, so that the next one is there before the key is released. */
import { useEffect, useState } from "react";

const NONE: ReadonlySet<string> = new Set();

/** How many of the addresses are decoded and ready to be painted. */
export function usePicturesAhead(addresses: readonly string[]): number {
  const [ready, setReady] = useState(NONE);
  const key = addresses.join("\n");
  useEffect(() => {
    let left = false;
    const pictures =
      key === ""
        ? []
        : key.split("\n").map((address) =>
            load(address, () => {
              if (!left) setReady((old) => new Set([...old, address]));
            }),
          );
    return () => {
      left = true;
      // Dropping the references lets the browser give up what is no longer wanted.
      pictures.length = 0;
    };
  }, [key]);
  return addresses.filter((address) => ready.has(address)).length;
}

function load(address: string, onReady: () => void): HTMLImageElement {
  const picture = new Image();
  picture.decoding = "async";
  picture.src = address;
  picture.decode().then(onReady, () => undefined); // fetched again, and complained about, when it is shown
  return picture;
}
