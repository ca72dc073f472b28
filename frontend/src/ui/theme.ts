/** Light or dark: the system's choice until the reader makes one. */
import { useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";
export type Theme = "light" | "dark";

const STORED = "lantern.theme";
const listeners = new Set<() => void>();
let choice: ThemeChoice = "system";

function systemTheme(): Theme {
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function apply(): void {
  document.documentElement.dataset.theme = currentTheme();
  for (const listener of listeners) listener();
}

function currentTheme(): Theme {
  return choice === "system" ? systemTheme() : choice;
}

export function startTheme(): void {
  try {
    const stored = localStorage.getItem(STORED);
    if (stored === "light" || stored === "dark") choice = stored;
  } catch {
    // Without storage the system decides.
  }
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    if (next === "system") localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, next);
  } catch {
    // The choice then lasts as long as the page.
  }
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}
