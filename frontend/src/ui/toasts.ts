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

  /** Keeps the messages for the page that is loaded next, without their undo, which needs this page's state. */
  carry(): void {
    try {
      sessionStorage.setItem(CARRIED, JSON.stringify(this.snapshot().filter(({ undo }) => !undo).map(({ text }) => text)));
    } catch {
      // Without storage a message is read here or not at all.
    }
  }

  /** Shows the messages that the previous page kept. */
  arrive(): void {
    try {
      const carried = JSON.parse(sessionStorage.getItem(CARRIED) ?? "[]") as string[];
      sessionStorage.removeItem(CARRIED);
      for (const text of carried) this.show(text);
    } catch {
      // The previous page kept nothing.
    }
  }
}

export const toasts = new ToastStore([]);
