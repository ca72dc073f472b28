/** Light or dark: the system's choice until the reader makes one. */
import { Store } from "@/store/store";
import { useStore } from "@/store/useStore";

export type ThemeChoice = "system" | "light" | "dark";
type Theme = "light" | "dark";

const STORED = "lantern.theme";

function systemTheme(): Theme {
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

class ThemeStore extends Store<{ readonly choice: ThemeChoice; readonly theme: Theme }> {
  start(): void {
    let stored: string | null = null;
    try {
      stored = localStorage.getItem(STORED);
    } catch {
      // Without storage the system decides.
    }
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.apply(this.snapshot().choice));
    this.apply(stored === "light" || stored === "dark" ? stored : this.snapshot().choice);
  }

  choose(choice: ThemeChoice): void {
    try {
      if (choice === "system") localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, choice);
    } catch {
      // The choice then lasts as long as the page.
    }
    this.apply(choice);
  }

  private apply(choice: ThemeChoice): void {
    const theme = choice === "system" ? systemTheme() : choice;
    document.documentElement.dataset.theme = theme;
    this.set({ choice, theme });
  }
}

export const theme = new ThemeStore({ choice: "system", theme: "light" });

export function useTheme(): Theme {
  return useStore(theme, (state) => state.theme);
}

export function useThemeChoice(): ThemeChoice {
  return useStore(theme, (state) => state.choice);
}
