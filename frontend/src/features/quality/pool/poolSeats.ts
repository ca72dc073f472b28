/**
 * The seats somebody holds in a pool: a heartbeat renews their leases while the page is open, what others were given
 * meanwhile is told apart, and what is left undone on leaving is handed back for others.
 */
import type { Answer } from "@/api/operations";
import type { PoolItem } from "@/api/types";

type SeatState = "held" | "done" | "lost";

export interface SeatRow {
  readonly item: PoolItem;
  readonly state: SeatState;
}

export interface SeatOptions {
  renew: (seats: number[]) => Promise<Answer<"pool_renew">>;
  release: (seats: number[]) => Promise<unknown>;
  heartbeatMs: number;
}

type Lost = (items: readonly PoolItem[]) => void;

export class PoolSeats {
  private readonly options: SeatOptions;
  private readonly listeners = new Set<() => void>();
  private readonly toldOfLoss = new Set<Lost>();
  private timer: ReturnType<typeof setInterval> | null = null;
  private list: readonly SeatRow[] = [];

  constructor(options: SeatOptions) {
    this.options = options;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Tells of items whose seat went to somebody else. */
  readonly onLost = (listener: Lost): (() => void) => {
    this.toldOfLoss.add(listener);
    return () => this.toldOfLoss.delete(listener);
  };

  readonly snapshot = (): readonly SeatRow[] => this.list;

  /** What the person holds now; done and lost ones make room. */
  take(items: readonly PoolItem[]): void {
    this.change(items.map((item) => ({ item, state: "held" })));
  }

  find(itemId: number): PoolItem | undefined {
    return this.list.find((row) => row.item.id === itemId)?.item;
  }

  /** The item as it is after its verdict was taken. */
  judged(itemId: number, item: Partial<PoolItem>): void {
    this.change(this.list.map((row) => (row.item.id === itemId ? { item: { ...row.item, ...item }, state: "done" } : row)));
  }

  start(): void {
    this.timer ??= setInterval(() => void this.beat(), this.options.heartbeatMs);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Renews what is held. Without a connection the leases run on, and the next beat tries again. */
  async beat(): Promise<void> {
    const seats = this.open();
    if (seats.length === 0) return;
    let answer: Answer<"pool_renew">;
    try {
      answer = await this.options.renew(seats);
    } catch {
      return;
    }
    const until = new Map(answer.kept.map((one) => [one.seat, one.lease_until]));
    const gone = new Set(answer.lost);
    // A verdict that was answered while the heartbeat was on its way leaves its seat, which is no loss.
    const lost = this.list.filter((row) => row.state === "held" && gone.has(row.item.seat));
    this.change(
      this.list.map((row) => {
        if (lost.includes(row)) return { ...row, state: "lost" };
        const lease = until.get(row.item.seat);
        return lease === undefined ? row : { ...row, item: { ...row.item, lease_until: lease } };
      }),
    );
    if (lost.length > 0) for (const tell of this.toldOfLoss) tell(lost.map((row) => row.item));
  }

  /** Hands back what was not judged. */
  async release(): Promise<void> {
    const seats = this.open();
    if (seats.length === 0) return;
    this.change(this.list.filter((row) => row.state !== "held"));
    // Seats that cannot be handed back now fall free by themselves when their lease ends.
    await this.options.release(seats).catch(() => undefined);
  }

  private open(): number[] {
    return this.list.filter((row) => row.state === "held").map((row) => row.item.seat);
  }

  private change(list: readonly SeatRow[]): void {
    this.list = list;
    for (const listener of this.listeners) listener();
  }
}
