/**
 * The desk's addresses. Going from one package to another stays on this page; every other address is another page,
 * which is loaded whole once what was typed is on its way or safe in the browser.
 */
import { useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from "react";
import i18next from "i18next";
import { createPath, Router, type Navigator, type To } from "react-router";
import { signals } from "@/api/signals";
import { toasts } from "@/ui/toasts";
import { flushWork } from "@/workspace/saving/delivery";
import { isDesk } from "@/workspace/address";

function locationNow() {
  const { pathname, search, hash } = window.location;
  return { pathname, search, hash };
}

export function DeskRouter({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(locationNow);
  const navigator = useMemo<Navigator>(() => {
    const move = (to: To, how: "push" | "replace") => {
      const target = new URL(typeof to === "string" ? to : createPath(to), window.location.href);
      if (!isDesk(target.pathname)) {
        void leaveFor(target, how);
        return;
      }
      window.history[how === "push" ? "pushState" : "replaceState"](null, "", target);
      setLocation(locationNow());
    };
    return {
      createHref: (to) => (typeof to === "string" ? to : createPath(to)),
      go: (delta) => window.history.go(delta),
      push: (to) => move(to, "push"),
      replace: (to) => move(to, "replace"),
    };
  }, []);
  useLayoutEffect(() => {
    const onPopState = () => setLocation(locationNow());
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
  }, []);
  useEffect(() => {
    // A page brought back from the browser's memory shows what was true then.
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) window.location.reload();
    };
    window.addEventListener("pageshow", onPageShow);
    return () => window.removeEventListener("pageshow", onPageShow);
  }, []);
  return (
    <Router location={location} navigator={navigator}>
      {children}
    </Router>
  );
}

async function leaveFor(target: URL, how: "push" | "replace"): Promise<void> {
  if (!signals.snapshot().online) {
    // The browser's own error page would replace the page where one could continue writing.
    toasts.show(i18next.t("app:offlineStay"));
    return;
  }
  await flushWork();
  toasts.carry();
  window.location[how === "push" ? "assign" : "replace"](target);
}
