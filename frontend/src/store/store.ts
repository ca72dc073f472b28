/** State outside of React: components read it with `useStore`, everything else with `snapshot` and `subscribe`. */
import { Emitter } from "./emitter";

/** What can be read and followed; `Store` is what keeps it. */
export interface Readable<State> {
  readonly snapshot: () => State;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Keeps one immutable state. Subclasses change it by their own methods, so that every change has a name. */
export abstract class Store<State> implements Readable<State> {
  private readonly changes = new Emitter<void>();
  private state: State;

  constructor(initial: State) {
    this.state = initial;
  }

  /** The same object until something changes. */
  readonly snapshot = (): State => this.state;

  readonly subscribe = this.changes.on;

  protected set(next: State): void {
    this.state = next;
    this.changes.emit();
  }

  protected patch(part: Partial<State>): void {
    this.set({ ...this.state, ...part });
  }
}
