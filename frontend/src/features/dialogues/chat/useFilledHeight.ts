/** Makes an element fill the window below it, also above the keyboard of a telephone, which covers the page's foot. */
import { useLayoutEffect, type RefObject } from "react";

/** Below this there is no room for a chat; the page scrolls instead. */
const LEAST_PX = 280;

export function useFilledHeight(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const fit = () => {
      const { current } = element;
      if (!current) return;
      const visible = window.visualViewport?.height ?? window.innerHeight;
      // While the keyboard is open, nothing below the field matters.
      const isCovered = window.innerHeight - visible > 120;
      const foot = isCovered ? 0 : (document.querySelector<HTMLElement>(".footbar")?.offsetHeight ?? 0);
      const top = current.getBoundingClientRect().top + window.scrollY;
      current.style.setProperty("--talk-height", `${Math.max(visible - top - foot, LEAST_PX)}px`);
    };
    fit();
    const { visualViewport } = window;
    window.addEventListener("resize", fit);
    visualViewport?.addEventListener("resize", fit);
    return () => {
      window.removeEventListener("resize", fit);
      visualViewport?.removeEventListener("resize", fit);
    };
  }, [element]);
}
