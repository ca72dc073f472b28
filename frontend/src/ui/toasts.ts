/** Short messages at the foot of the page, with an undo where there is one. */
import { Store } from "@/store/store";

interface Toast {
  id: number;
  text: string;
  undo?: { label: string; perform: () => void };
}

/** Undo stays for ten seconds; a plain message for five. */
const UNDO_MS = 10_000;
const PLAIN_MS = 5_000;

const CARRIED = "lantern.toasts";

class ToastStore extends Store<readonly Toast[]> {
  private nextId = 1;

  show(text: string, undo?: Toast["undo"]): number {
    const id = this.nextId++;
    // The newest three: older ones have been seen or no longer matter.
    this.set([...this.snapshot(), undo ? { id, text, undo } : { id, text }].slice(-3));
    setTimeout(() => this.dismiss(id), undo ? UNDO_MS : PLAIN_MS);
    return id;
  }

  dismiss(id: number): void {
    this.set(this.snapshot().filter((toast) => toast.id !== id));
  }

  /** Lets the messages be read on the page that is loaded next. What could be undone here cannot be there. */
  carry(): void {
    try {
      sessionStorage.setItem(CARRIED, JSON.stringify(this.snapshot().filter(({ undo }) => !undo).map(({ text }) => text)));
    } catch {
      // Without storage a message is read here or not at all.
    }
  }

  /** Shows what the page before had to say. */
  arrive(): void {
    try {
      const carried = JSON.parse(sessionStorage.getItem(CARRIED) ?? "[]") as string[];
      sessionStorage.removeItem(CARRIED);
      for (const text of carried) this.show(text);
    } catch {
      // Nothing was carried.
    }
  }
}

export const toasts = new ToastStore([]);
