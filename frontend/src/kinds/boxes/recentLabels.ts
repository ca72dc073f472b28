/** The categories chosen last, in this browser: the next box is mostly one of them. */
import { used } from "@/picture/regions/labels";
import { Store } from "@/store/store";

const STORED = "lantern-recent-labels";

class RecentLabels extends Store<readonly string[]> {
  constructor() {
    super(stored());
  }

  use(code: string): void {
    this.set(used(this.snapshot(), code));
    try {
      localStorage.setItem(STORED, JSON.stringify(this.snapshot()));
    } catch {
      // Without storage they are remembered until the page is closed.
    }
  }
}

function stored(): readonly string[] {
  try {
    const codes: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(codes) ? codes.filter((code): code is string => typeof code === "string") : [];
  } catch {
    return [];
  }
}

export const recentLabels = new RecentLabels();
