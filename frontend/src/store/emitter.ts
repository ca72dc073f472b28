/** Tells listeners of an event; `on` returns the function that ends listening. */
export class Emitter<Event> {
  private readonly listeners = new Set<(event: Event) => void>();

  readonly on = (listener: (event: Event) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  emit(event: Event): void {
    for (const listener of this.listeners) listener(event);
  }
}
