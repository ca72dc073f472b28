/** The signed-in person's outbox, one for the whole page: it continues to deliver after the workspace is left. */
import { call, newClientKey } from "@/api/client";
import { requiredConsent } from "@/api/requiredConsent";
import { signals } from "@/api/signals";
import type { Submitted, Track, WorkItem } from "@/api/types";
import type { Content } from "@/kinds/kind";
import { Emitter } from "@/store/emitter";
import { isOpen } from "../queue/order";
import { draftMirror, keepsWork, oneTabAtATime, outboxStorage } from "./browserStore";
import type { DraftPhase, DraftRequest } from "./draftSaver";
import { Outbox, type OutboxEntry } from "./outbox";
import { isUnsent } from "./status";

export type WorkEntry = OutboxEntry<Content>;

interface SubmittedWork {
  /** The item's track. */
  readonly track: Track;
  /** The package the item is written in; null where it is in none. */
  readonly packageId: number | null;
  readonly item: Pick<WorkItem, "id" | "position" | "label" | "state">;
  readonly baseNo: number;
  readonly content: Content;
  /** Why overridable findings stay, by finding code. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Milliseconds the person worked on the text; null where nothing counted them. */
  readonly activeMs: number | null;
  /** Version of the guideline it was written under; null where the kind has none. */
  readonly guideline: number | null;
  /** The picture's version that was shown. */
  readonly pictureNo?: number;
  /** What was waiting for the item when it was opened: this text was written over it. */
  readonly over: WorkEntry | null;
}

interface SkippedWork {
  readonly packageId: number;
  readonly item: Pick<WorkItem, "id" | "position" | "label" | "state" | "revision_no">;
  /** The present text; it stays. */
  readonly content: Content;
  readonly why: NonNullable<WorkEntry["leftOut"]>;
}

/** An entry that the server accepted, with its answer. */
interface DeliveredWork {
  readonly entry: WorkEntry;
  readonly answer: Submitted;
}

/** The track as the server takes it; without one it is packages'. */
export function trackField(track: Track = "package"): { track?: Track } {
  return track === "package" ? {} : { track };
}

interface OpenDraft {
  settled(): Promise<void>;
  flush(): Promise<void>;
  finish(): Promise<void>;
  resend(): void;
  readonly typed: DraftRequest<Content> | null;
  readonly state: { readonly phase: DraftPhase };
}

export class Delivery {
  readonly outbox: Outbox<Content, Submitted>;
  /** Draft savers of items that are open or were just submitted, by item. */
  private readonly drafts = new Map<number, OpenDraft>();
  /** The line of what is written on this page over each of these items. */
  private readonly lines = new Map<number, string>();
  private readonly deliveries = new Emitter<DeliveredWork>();
  /** Tells the browser's other tabs what this one delivered. */
  private channel: BroadcastChannel | null = null;
  /** Reports each entry that the server has accepted, sent by this tab or by another one of this browser. */
  readonly onDelivered = this.deliveries.on;
  /** The line of what this page writes. */
  private readonly line = newClientKey();
  private isHandedOver = false;
  private stopListening: (() => void) | null = null;

  constructor(readonly personId: number) {
    this.outbox = new Outbox<Content, Submitted>({
      personId,
      storage: outboxStorage<Content>(),
      // A draft that is on its way must not arrive after the submitted text that contains it. What was typed into an item
      // that is skipped stays as its draft.
      before: async (entry) => {
        const draft = this.drafts.get(entry.itemId);
        await (entry.leftOut == null ? draft?.settled() : draft?.flush());
      },
      send: (entry) =>
        entry.leftOut == null ? this.sendText(entry) : this.sendSkip(entry, entry.leftOut),
      exclusively: (work) => oneTabAtATime(personId, work),
      onDelivered: (entry, answer) => {
        this.deliveries.emit({ entry, answer });
        this.channel?.postMessage({ entry, answer } satisfies DeliveredWork);
      },
    });
  }

  private sendText(entry: WorkEntry): Promise<Submitted> {
    return call("item_submit", {
      path: { id: entry.itemId },
      body: {
        ...trackField(entry.track),
        base_no: entry.baseNo,
        content: entry.content,
        client_key: entry.key,
        reasons: { ...entry.reasons },
        // An entry that an older build of this page left behind has neither.
        ...(entry.activeMs == null ? {} : { active_ms: entry.activeMs }),
        ...(entry.guideline == null ? {} : { guideline: entry.guideline }),
        ...(entry.pictureNo == null ? {} : { picture_no: entry.pictureNo }),
      },
    });
  }

  /** Answers as if a text had been submitted unchanged, so that listeners need not distinguish the two. */
  private async sendSkip(entry: WorkEntry, why: NonNullable<WorkEntry["leftOut"]>): Promise<Submitted> {
    const answer = await call("item_skip", {
      path: { id: entry.itemId },
      body: { base_no: entry.baseNo, reasons: [...why.reasons], comment: why.comment, client_key: entry.key },
    });
    return { ...answer, revision_no: entry.baseNo, findings: [] };
  }

  start(): void {
    if (this.stopListening) return;
    this.channel = new BroadcastChannel(`lantern-work-${this.personId}`);
    this.channel.onmessage = ({ data }: MessageEvent<DeliveredWork>) => this.deliveries.emit(data);
    const flushDrafts = () => {
      for (const draft of this.drafts.values()) void draft.flush();
    };
    const stopAgreeing = requiredConsent.onAccepted(() => {
      void this.outbox.retryRefused("consent_missing");
      flushDrafts();
    });
    const stopSignals = signals.onReturn(() => {
      this.outbox.wake();
      flushDrafts();
    });
    this.stopListening = () => {
      stopAgreeing();
      stopSignals();
    };
    void this.outbox.start();
  }

  stop(): void {
    this.stopListening?.();
    this.stopListening = null;
    this.channel?.close();
    this.channel = null;
    this.outbox.stop();
  }

  /** Takes a finished text, and drops the draft of it; resolves when it is safe in the browser. Sending continues by itself. */
  async submit(work: SubmittedWork): Promise<void> {
    await this.take(work, {
      baseNo: work.baseNo,
      reasons: work.reasons,
      activeMs: work.activeMs,
      guideline: work.guideline,
      ...(work.pictureNo === undefined ? {} : { pictureNo: work.pictureNo }),
      line: this.lineOver(work.over),
      leftOut: null,
      wasOpen: isOpen(work.item),
    });
    await this.dropDraft(work.item.id);
  }

  /** Sends what was typed into an item and waits for a pause in the typing. */
  async flushDraft(itemId: number): Promise<void> {
    await this.drafts.get(itemId)?.flush();
  }

  /** Forgets what was typed into an item, here and in the browser's copy. */
  async dropDraft(itemId: number): Promise<void> {
    const draft = this.drafts.get(itemId);
    await (draft ? draft.finish() : draftMirror(this.personId, itemId).remove());
  }

  /** Forgets the texts of an item that the server did not take; those that are on their way stay. */
  async dropRefused(itemId: number): Promise<void> {
    const { entries } = this.outbox.snapshot();
    for (const entry of entries.filter((one) => one.itemId === itemId && one.state !== "waiting")) await this.outbox.drop(entry.key);
  }

  /** Skips an item that cannot be written; sent the same way as a text. */
  async skip(work: SkippedWork): Promise<void> {
    await this.take({ ...work, track: "package" }, {
      baseNo: work.item.revision_no,
      reasons: {},
      activeMs: null,
      guideline: null,
      line: this.line,
      leftOut: work.why,
      wasOpen: isOpen(work.item),
    });
  }

  private take(
    { track, packageId, item, content }: Pick<SubmittedWork, "track" | "packageId" | "content"> & { item: Pick<WorkItem, "id" | "position" | "label"> },
    rest: Pick<WorkEntry, "baseNo" | "reasons" | "activeMs" | "guideline" | "pictureNo" | "line" | "leftOut" | "wasOpen">,
  ): Promise<void> {
    return this.outbox.add({
      ...rest,
      key: newClientKey(),
      personId: this.personId,
      track,
      packageId,
      itemId: item.id,
      position: item.position,
      label: item.label,
      content,
      queuedAt: Date.now(),
      state: "waiting",
      attempts: 0,
      failure: null,
    });
  }

  /** A kind's guideline was acknowledged: its texts that were refused for lack of it are sent under that version. */
  async acknowledged(version: number, isOfKind: (entry: WorkEntry) => boolean): Promise<void> {
    await this.outbox.retryRefused("guideline_not_acknowledged", (entry) =>
      isOfKind(entry) ? { ...entry, guideline: version } : entry,
    );
  }

  /** An item is opened; `over` is what was waiting for it. */
  register(itemId: number, draft: OpenDraft, over: WorkEntry | null): void {
    this.drafts.set(itemId, draft);
    this.lines.set(itemId, this.lineOver(over));
  }

  /** What was typed into an item on this page and not submitted yet. */
  typed(itemId: number): DraftRequest<Content> | null {
    return this.drafts.get(itemId)?.typed ?? null;
  }

  /** Whether something is typed over the item on this page that does not follow the entry, as another tab sent that. */
  isTypedBeside({ itemId, line }: WorkEntry): boolean {
    const open = this.lines.get(itemId);
    return open !== undefined && open !== line && this.typed(itemId) !== null;
  }

  /** Sends what is typed into an item again, so that it is kept and compared with what another tab submitted. */
  resendDraft(itemId: number): void {
    this.drafts.get(itemId)?.resend();
  }

  private lineOver(over: WorkEntry | null): string {
    return over?.line ?? this.line;
  }

  /**
   * Another page of this site is about to be loaded: what is typed is sent, what the browser's database still holds
   * then is sent from there. Waits only briefly, for the database keeps everything.
   */
  async handOver(): Promise<void> {
    const sent = Promise.all([...this.drafts.values()].map((draft) => draft.flush())).then(() => this.outbox.drained());
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, FLUSH_LIMIT_MS))]);
    this.isHandedOver = await keepsWork();
  }

  /** Whether the server is missing anything that was typed on this page and no other page will send. */
  hasUnsent(): boolean {
    if (this.isHandedOver) return false;
    const phases = [...this.drafts.values()].map((draft) => draft.state.phase);
    const open = phases.find((phase) => phase !== "saved") ?? "saved";
    return isUnsent(open, this.outbox.snapshot());
  }
}

/** Longest that leaving for another page of the site waits for the server, in milliseconds. */
const FLUSH_LIMIT_MS = 800;

let current: Delivery | null = null;

/** To be awaited before another page of this site is loaded. */
export async function flushWork(): Promise<void> {
  await current?.handOver();
}

/** The person's delivery; another person's, from before a change of sign-in, is stopped first. */
export function deliveryOf(personId: number): Delivery {
  if (current?.personId !== personId) {
    current?.stop();
    current = new Delivery(personId);
  }
  return current;
}
