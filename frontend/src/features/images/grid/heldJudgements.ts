/**
 * Judgements that can still be taken back.
 *
 * On the server a verdict is final and is never overwritten, so the ten seconds of "undo" are spent here: judgements
 * are held, then sent many at once. What one key press decided about many pictures is taken back by one undo. What
 * the server refuses (somebody else was first) stays beside its picture until it is put away or judged again.
 */
import { toApiError, type ApiError } from "@/api/errors";
import type { Image, ImageObjects } from "@/api/types";

export type Judgement =
  | { outcome: "accepted"; subset?: string; category?: string; objects?: ImageObjects }
  | { outcome: "refused"; reasons: string[] }
  | { outcome: "clear" };

export interface HeldJudgement {
  readonly image: Image;
  readonly judgement: Judgement;
  /** Makes a repeat harmless; the same for every try. */
  readonly key: string;
  /** What one key press decided. */
  readonly group: number;
  /** When it is sent. */
  readonly due: number;
  readonly state: "held" | "sending" | "waiting";
}

/** The server's answer about one picture of a batch. */
export interface Outcome {
  image: Image | null;
  error: { code: string; params: Record<string, unknown>; detail?: string } | null;
}

export interface Conflict {
  readonly judgement: Judgement;
  readonly error: NonNullable<Outcome["error"]>;
}

/** What is known here of one picture beside its row. */
export interface Decision {
  readonly verdict?: HeldJudgement;
  readonly clear?: HeldJudgement;
  readonly conflict?: Conflict;
}

export interface JudgementView {
  readonly decisions: ReadonlyMap<number, Decision>;
  /** How many are not acknowledged yet. */
  readonly unsent: number;
  readonly canUndo: boolean;
  /** Why sending waits; null while nothing is wrong. */
  readonly problem: ApiError | null;
}

export interface HeldOptions {
  /** Answers in the order of what was sent. */
  send: (held: readonly HeldJudgement[]) => Promise<Outcome[]>;
  newKey: () => string;
  holdMs?: number;
}

const HOLD_MS = 10_000;
const RETRY_MS = 3_000;
/** Judgements due within this time of each other go together. */
const TOGETHER_MS = 1_000;
/** The server takes this many at once. */
const MANY = 200;

const slotOf = (image: number, judgement: Judgement) => `${image} ${judgement.outcome === "clear" ? "clear" : "verdict"}`;

export class HeldJudgements {
  private held = new Map<string, HeldJudgement>();
  private readonly conflicts = new Map<number, Conflict>();
  private readonly listeners = new Set<() => void>();
  private readonly hearers = new Set<(images: readonly Image[]) => void>();
  private view: JudgementView = { decisions: new Map(), unsent: 0, canUndo: false, problem: null };
  private problem: ApiError | null = null;
  private group = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private running: Promise<void> | null = null;

  constructor(private readonly options: HeldOptions) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Hears of every picture whose judgement was answered. */
  readonly onJudged = (listener: (images: readonly Image[]) => void): (() => void) => {
    this.hearers.add(listener);
    return () => this.hearers.delete(listener);
  };

  readonly snapshot = (): JudgementView => this.view;

  /** Takes a judgement about many; an earlier one that was not sent yet is replaced, one on its way stands. */
  hold(images: readonly Image[], judgement: Judgement): void {
    this.group += 1;
    const due = Date.now() + (this.options.holdMs ?? HOLD_MS);
    for (const image of images) {
      const slot = slotOf(image.id, judgement);
      if (this.held.get(slot)?.state === "sending") continue;
      // Taken out first, so that the newest stands last and is taken back first.
      this.held.delete(slot);
      this.held.set(slot, { image, judgement, key: this.options.newKey(), group: this.group, due, state: "held" });
      if (judgement.outcome !== "clear") this.conflicts.delete(image.id);
    }
    this.changed();
    this.plan();
  }

  /** Takes the newest key press back, as far as it is still here; returns its pictures. */
  undo(): number[] {
    const last = [...this.held.values()].findLast((one) => one.state !== "sending");
    if (!last) return [];
    const images: number[] = [];
    for (const [slot, one] of this.held) {
      if (one.group !== last.group || one.state === "sending") continue;
      this.held.delete(slot);
      images.push(one.image.id);
    }
    this.changed();
    this.plan();
    return images;
  }

  /** Puts a refused judgement away. */
  dismiss(image: number): void {
    this.conflicts.delete(image);
    this.changed();
  }

  /** Sends everything now; resolves when the answers are there. True when nothing is left. */
  async flush(): Promise<boolean> {
    if (this.running) await this.running;
    await this.send(() => true);
    return this.held.size === 0;
  }

  private plan(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const waiting = [...this.held.values()].filter((one) => one.state !== "sending");
    if (waiting.length === 0) return;
    const next = Math.min(...waiting.map((one) => one.due));
    this.timer = setTimeout(() => {
      this.timer = null;
      const until = Date.now() + TOGETHER_MS;
      void this.send((one) => one.due <= until);
    }, Math.max(0, next - Date.now()));
  }

  private send(which: (one: HeldJudgement) => boolean): Promise<void> {
    if (this.running) return this.running;
    this.running = this.deliver(which).finally(() => {
      this.running = null;
      this.plan();
    });
    return this.running;
  }

  private async deliver(which: (one: HeldJudgement) => boolean): Promise<void> {
    for (;;) {
      const batch = [...this.held].filter(([, one]) => one.state !== "sending" && which(one)).slice(0, MANY);
      if (batch.length === 0) return;
      for (const [slot, one] of batch) this.held.set(slot, { ...one, state: "sending" });
      this.changed();
      try {
        const answers = await this.options.send(batch.map(([, one]) => one));
        const judged: Image[] = [];
        batch.forEach(([slot, one], i) => {
          const answer = answers[i] ?? { image: null, error: { code: "not_found", params: {} } };
          this.held.delete(slot);
          if (answer.image) judged.push(answer.image);
          if (answer.error) this.conflicts.set(one.image.id, { judgement: one.judgement, error: answer.error });
        });
        this.problem = null;
        for (const hear of this.hearers) hear(judged);
        this.changed();
      } catch (reason) {
        const problem = toApiError(reason);
        this.problem = problem;
        const waits = problem.isPassing || problem.status === 401;
        for (const [slot, one] of batch) {
          if (waits) this.held.set(slot, { ...one, state: "waiting", due: Date.now() + RETRY_MS });
          else {
            this.held.delete(slot);
            this.conflicts.set(one.image.id, { judgement: one.judgement, error: { code: problem.code, params: { ...problem.params } } });
          }
        }
        if (!waits) this.problem = null;
        this.changed();
        return;
      }
    }
  }

  private changed(): void {
    const decisions = new Map<number, Decision>();
    for (const one of this.held.values()) {
      const part = one.judgement.outcome === "clear" ? { clear: one } : { verdict: one };
      decisions.set(one.image.id, { ...decisions.get(one.image.id), ...part });
    }
    for (const [image, conflict] of this.conflicts) decisions.set(image, { ...decisions.get(image), conflict });
    // Cards are compared by what they are given, so what did not change keeps its identity.
    for (const [image, decision] of decisions) {
      const old = this.view.decisions.get(image);
      if (old && old.verdict === decision.verdict && old.clear === decision.clear && old.conflict === decision.conflict) decisions.set(image, old);
    }
    this.view = {
      decisions,
      unsent: this.held.size,
      canUndo: [...this.held.values()].some((one) => one.state !== "sending"),
      problem: this.problem,
    };
    for (const listener of this.listeners) listener();
  }
}
