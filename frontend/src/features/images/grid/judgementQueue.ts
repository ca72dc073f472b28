/**
 * A queue of judgements of pictures: one key press decides and one undoes, and many are sent at
 * once. What the server refuses (someone else was first) stays beside its picture until it is dismissed or judged again.
 */
import type { ApiError } from "@/api/errors";
import { SendQueue, type Entry, type Refusal, type SendQueueOptions } from "@/api/sendQueue";
import type { Image, ImageObjects } from "@/api/types";
import { Store } from "@/store/store";

export type Judgement =
  | { outcome: "accepted"; subset?: string; category?: string; objects?: ImageObjects }
  | { outcome: "refused"; reasons: string[] }
  | { outcome: "clear" };

export type JudgementEntry = Entry<{ readonly image: Image; readonly judgement: Judgement }>;

export interface Conflict {
  readonly judgement: Judgement;
  readonly error: Refusal;
}

/** What is known here of one picture beside its row. */
export interface Decision {
  readonly verdict?: JudgementEntry;
  readonly clear?: JudgementEntry;
  readonly conflict?: Conflict;
}

export interface JudgementView {
  readonly decisions: ReadonlyMap<number, Decision>;
  /** How many are not acknowledged yet. */
  readonly unsent: number;
  readonly canUndo: boolean;
  /** The error of the last failed request; null after a successful one. */
  readonly problem: ApiError | null;
}

type Options = SendQueueOptions<JudgementEntry["work"], Image>;

const UNDO_MS = 10_000;
/** Milliseconds; judgements due within them are sent together. */
const TOGETHER_MS = 1_000;
/** The most judgements that the server accepts in one request. */
const BATCH_SIZE = 200;

export class JudgementQueue extends Store<JudgementView> {
  private readonly queue: SendQueue<JudgementEntry["work"], Image>;
  private readonly conflicts = new Map<number, Conflict>();

  constructor(options: Pick<Options, "send" | "newKey">) {
    super({ decisions: new Map(), unsent: 0, canUndo: false, problem: null });
    this.queue = new SendQueue({ ...options, holdMs: UNDO_MS, togetherMs: TOGETHER_MS, batchSize: BATCH_SIZE });
    this.queue.onResults((answered) => {
      for (const { entry, error } of answered) {
        const { image, judgement } = entry.work;
        if (error) this.conflicts.set(image.id, { judgement, error });
      }
    });
    this.queue.subscribe(() => this.update());
  }

  /** Reports the pictures of a request as the server has them now. */
  readonly onJudged = (listener: (images: readonly Image[]) => void): (() => void) =>
    this.queue.onResults((answered) => listener(answered.flatMap(({ answer }) => answer ?? [])));

  /** Adds one judgement about many pictures; a picture's verdict and its mark are apart. */
  add(images: readonly Image[], judgement: Judgement): void {
    const slot = judgement.outcome === "clear" ? "clear" : "verdict";
    if (slot === "verdict") for (const { id } of images) this.conflicts.delete(id);
    this.queue.add(images.map((image) => [`${image.id} ${slot}`, { image, judgement }]));
  }

  /** Undoes the newest key press, except judgements already being sent; returns its pictures. */
  undo(): number[] {
    return this.queue.undo().map((subject) => Number.parseInt(String(subject), 10));
  }

  /** Dismisses a refused judgement. */
  dismiss(image: number): void {
    this.conflicts.delete(image);
    this.update();
  }

  unsent(): number {
    return this.queue.unsent();
  }

  /** Sends everything now; resolves after the last answer, to whether nothing is left. */
  readonly flush = (): Promise<boolean> => this.queue.flush();

  private update(): void {
    const { entries, problem } = this.queue.snapshot();
    const decisions = new Map<number, Decision>();
    for (const entry of entries) {
      const { image, judgement } = entry.work;
      const part = judgement.outcome === "clear" ? { clear: entry } : { verdict: entry };
      decisions.set(image.id, { ...decisions.get(image.id), ...part });
    }
    for (const [image, conflict] of this.conflicts) decisions.set(image, { ...decisions.get(image), conflict });
    // Cards are compared by what they are given, so what did not change keeps its identity.
    for (const [image, decision] of decisions) {
      const old = this.snapshot().decisions.get(image);
      if (old && old.verdict === decision.verdict && old.clear === decision.clear && old.conflict === decision.conflict) decisions.set(image, old);
    }
    this.set({ decisions, unsent: entries.length, canUndo: this.queue.canUndo, problem });
  }
}
