/** The items of one package in working order: which is open, which come next, what is fetched ahead. */
import { toApiError, type ApiError } from "@/api/errors";
import type { Package, Place, WorkItem, WorkRules } from "@/api/types";
import { Store } from "@/store/store";
import type { Content } from "@/kinds/kind";
import type { DraftRequest } from "../saving/draftSaver";
import { isOpen, upcoming, withKnown } from "./order";

/** An item with what was typed into it in this browser and is newer than the server's draft, as far as known. */
export interface QueuedItem extends WorkItem {
  readonly local: DraftRequest<Content> | null;
}

/** The guideline in force for the package's kind, and whether this person has acknowledged that very version. */
export interface WorkGuideline {
  readonly version: number;
  readonly acknowledged: boolean;
}

/** What a submitted text makes of an item. */
export type Stored = Pick<WorkItem, "state" | "revision_no" | "content" | "findings" | "reasons">;

export interface QueueState {
  readonly phase: "entering" | "writing" | "finished" | "failed";
  readonly package: Package | null;
  /** Items written and delivered. */
  readonly written: number;
  readonly rules: WorkRules | null;
  /** Guideline in force for the package's kind; null where there is none. */
  readonly guideline: WorkGuideline | null;
  readonly current: QueuedItem | null;
  /** Items after the open one whose pictures should be ready. */
  readonly ahead: readonly QueuedItem[];
  readonly hasPrevious: boolean;
  /** Every item of the package with its state; null until they are read. */
  readonly places: readonly Place[] | null;
  readonly error: ApiError | null;
}

/** What the server answers when asked for the next items. */
export interface NextWork {
  package: Package;
  rules: WorkRules;
  items: WorkItem[];
  guideline?: WorkGuideline | null;
}

export interface QueueSource {
  next: (after: number) => Promise<NextWork>;
  /** Every item of the package, written ones too. */
  sheet: () => Promise<{ items: WorkItem[] }>;
  /** Every item of the package without its content. */
  places: () => Promise<{ items: Place[] }>;
  localDraft: (itemId: number) => Promise<DraftRequest<Content> | null>;
  /** What was typed on this page and not submitted, also if the server holds it as a draft. */
  typed: (itemId: number) => DraftRequest<Content> | null;
  /** Items whose submitted text is on its way. */
  onTheWay: () => ReadonlySet<number>;
}

/** Pictures kept ready beyond the open one. */
const AHEAD = 3;
/** Items the server gives in one answer (annotation.packages: PREFETCHED). */
const AT_ONCE = 3;

const EMPTY: QueueState = {
  phase: "entering",
  package: null,
  written: 0,
  rules: null,
  guideline: null,
  current: null,
  ahead: [],
  hasPrevious: false,
  places: null,
  error: null,
};

export class WorkQueue extends Store<QueueState> {
  private readonly source: QueueSource;
  private known: QueuedItem[] = [];
  private trail: number[] = [];
  private submitted = new Set<number>();
  /** The open item stays as it was opened, though newer knowledge of it may be there: something is typed over it. */
  private isKept = false;
  private requestedAfter: number | null = null;
  /** Up to this position no open item is unknown here; when that is all of them, the last submitted text need not ask. */
  private knownTo = 0;
  /** Items that deliveries on this page finished, and how many of them the package's figure holds already. */
  private finished = 0;
  private finishedCounted = 0;
  /** How many texts and skips have arrived, and at which of them each item's last did. */
  private arrivals = 0;
  private readonly arrivedAt = new Map<number, number>();
  /** States of items whose texts arrived since the places were asked for. */
  private readonly finishedSince = new Map<number, Place["state"]>();

  constructor(source: QueueSource) {
    super(EMPTY);
    this.source = source;
  }

  /** Opens the item the address names, else the first that must still be written. */
  async enter(itemId: number | null): Promise<void> {
    this.patch({ phase: "entering", error: null });
    try {
      await this.seek(0);
      if (itemId !== null) await this.fetchSheet();
      const named = this.known.find((item) => item.id === itemId);
      this.goTo(named ?? this.candidate(0));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Moves to the next item; `submitted` says that the open one is done with for now. */
  async next({ submitted }: { submitted: boolean }): Promise<void> {
    const here = this.snapshot().current;
    if (here && submitted) this.submitted.add(here.id);
    const at = here?.position ?? 0;
    const known = this.candidate(at);
    if (known) {
      this.leave(here);
      this.goTo(known);
      return;
    }
    try {
      if (this.knownTo !== Infinity) await this.seek(at);
      const found = this.candidate(at);
      if (found) {
        this.leave(here);
        this.goTo(found);
      } else if (submitted || (here && !isOpen(here))) {
        this.leave(here);
        this.goTo(null);
      }
    } catch (error) {
      // Offline behind the last fetched item: what was typed is safe, there is just nothing to show.
      if (submitted) {
        this.leave(here);
        this.fail(error);
      }
    }
  }

  /** Goes back to the item that was open before. */
  previous(): void {
    const last = this.trail.pop();
    const item = this.known.find(({ id }) => id === last);
    if (item) this.goTo(item);
  }

  /**
   * Opens an item of the package by its id; false if it could not be fetched, and then the open one stays.
   *
   * `isOutdated`: what is known of it no longer holds, so that it is fetched again.
   */
  async open(itemId: number, { isOutdated = false }: { isOutdated?: boolean } = {}): Promise<boolean> {
    try {
      await (isOutdated ? this.fetchSheet() : this.fetchItem(itemId));
    } catch (error) {
      if (this.snapshot().phase !== "writing" && this.snapshot().phase !== "finished") this.fail(error);
      return false;
    }
    const item = this.known.find(({ id }) => id === itemId);
    if (item) {
      this.leave(this.snapshot().current);
      this.goTo(item);
    }
    return true;
  }

  /** Reads the state of every item, unless there is no connection. */
  async readPlaces(): Promise<void> {
    this.finishedSince.clear();
    try {
      const { items } = await this.source.places();
      this.setPlaces(items.map((place) => ({ ...place, state: this.finishedSince.get(place.id) ?? place.state })));
    } catch {
      // What was read before stays; it is read again when the person comes back to the page.
    }
  }

  /**
   * A text has arrived: the item is what was submitted, at the revision the server gave it. With `keepsOpen` that shows
   * only once the item is opened again. `wasOpen`: whether it was still to be written, where nothing is known of it here.
   */
  async delivered(itemId: number, stored: Stored, { wasOpen, keepsOpen }: { wasOpen: boolean; keepsOpen: boolean }): Promise<void> {
    if (keepsOpen) this.isKept = true;
    const item = this.known.find(({ id }) => id === itemId);
    this.finish(itemId, stored.state, { wasOpen });
    if (item) await this.learn([{ ...item, ...stored, draft: null, returned: null, skipped: null, checked: false }]);
    this.submitted.delete(itemId);
  }

  /** The reasons for which an item is skipped have arrived. */
  leftOut(itemId: number, { state, skipped }: Pick<WorkItem, "state" | "skipped">, { wasOpen }: { wasOpen: boolean }): void {
    this.finish(itemId, state, { wasOpen });
    this.amend(itemId, { state, skipped });
  }

  /** Counts an item that was still to be written and no longer is. */
  private finish(itemId: number, state: WorkItem["state"], { wasOpen }: { wasOpen: boolean }): void {
    const item = this.known.find(({ id }) => id === itemId);
    if (item ? isOpen(item) : wasOpen) this.finished += 1;
    // At once, so that a second text of the item is not counted again.
    if (item) this.known = withKnown(this.known, [{ ...item, state }]);
    this.arrivals += 1;
    this.arrivedAt.set(itemId, this.arrivals);
    this.finishedSince.set(itemId, state);
    const { places } = this.snapshot();
    if (places) this.setPlaces(places.map((place) => (place.id === itemId ? { ...place, state } : place)));
    this.patch({ written: this.writtenOf(this.snapshot().package) });
  }

  /** The person has acknowledged the guideline's version. */
  acknowledged(version: number): void {
    this.patch({ guideline: { version, acknowledged: true } });
  }

  /** Newer knowledge of an item that no submitted text caused: someone commented on it. */
  amend(itemId: number, change: Partial<QueuedItem>): void {
    const item = this.known.find(({ id }) => id === itemId);
    if (!item) return;
    this.known = withKnown(this.known, [{ ...item, ...change }]);
    const { current } = this.snapshot();
    if (current?.id === itemId) this.patch({ current: { ...current, ...change } });
  }

  private setPlaces(places: readonly Place[]): void {
    this.patch({ places });
    this.patch({ written: this.writtenOf(this.snapshot().package) });
  }

  /** Counted where every item's state is known; else the server's figure at the last answer and what was delivered since. */
  private writtenOf(pkg: Package | null): number {
    const { places } = this.snapshot();
    if (places) return places.filter((place) => !isOpen(place)).length;
    return pkg ? Math.min(pkg.size, pkg.written + this.finished - this.finishedCounted) : 0;
  }

  /** The item's newest state, fetched again: its open text is based on an older revision. */
  async reload(itemId: number): Promise<void> {
    await this.fetchSheet();
    const item = this.known.find(({ id }) => id === itemId);
    if (item) this.goTo(item);
  }

  /**
   * Asks for what follows a position, and on from there while the answers name only items whose submitted text is still
   * on its way: after an outage there may be more of them than one answer names.
   */
  private async seek(position: number): Promise<void> {
    let after = position;
    do {
      const before = new Set(this.known.map(({ id }) => id));
      const items = await this.fetchAfter(after);
      if (this.knownTo === Infinity || items.every(({ id }) => before.has(id))) return;
      after = Math.max(...items.map((item) => item.position));
    } while (!this.candidate(position));
  }

  private candidate(position: number): QueuedItem | null {
    return upcoming(this.known, position, this.away())[0] ?? null;
  }

  private away(): ReadonlySet<number> {
    return new Set([...this.submitted, ...this.source.onTheWay()]);
  }

  private leave(item: QueuedItem | null): void {
    if (item) this.trail = [...this.trail.filter((id) => id !== item.id), item.id];
  }

  private goTo(item: QueuedItem | null): void {
    this.isKept = false;
    const typed = item && this.source.typed(item.id);
    this.patch({
      phase: item ? "writing" : "finished",
      current: item && typed ? { ...item, local: typed } : item,
      ahead: item ? this.aheadOf(item) : [],
      hasPrevious: this.trail.length > 0,
      error: null,
    });
    if (item) void this.fill(item);
  }

  private aheadOf(item: QueuedItem): QueuedItem[] {
    return upcoming(this.known, item.position, this.away()).slice(0, AHEAD);
  }

  /** Fetches further items when fewer than `AHEAD` are known after the open one. */
  private async fill(item: QueuedItem): Promise<void> {
    const ahead = this.aheadOf(item);
    if (ahead.length >= AHEAD || this.knownTo === Infinity) return;
    const last = ahead.filter(({ position }) => position > item.position).at(-1)?.position ?? item.position;
    if (this.requestedAfter === last) return;
    this.requestedAfter = last;
    try {
      await this.fetchAfter(last);
    } catch {
      this.requestedAfter = null; // asked again at the next item
    }
  }

  private async fetchAfter(after: number): Promise<readonly WorkItem[]> {
    const delivered = this.finished;
    const { arrivals } = this;
    const answer = await this.source.next(after);
    await this.learn(this.unchangedSince(arrivals, answer.items));
    this.finishedCounted = Math.max(this.finishedCounted, delivered);
    this.cover(after, answer.items);
    const { package: pkg, rules, guideline = null } = answer;
    this.patch({ package: pkg, rules, guideline, written: this.writtenOf(pkg) });
    return answer.items;
  }

  /** Notes up to which position every open item is known; an answer that starts again at the front has seen the end. */
  private cover(after: number, items: readonly WorkItem[]): void {
    if (after > this.knownTo) return;
    const hasEnded = items.length < AT_ONCE || items.some(({ position }) => position <= after);
    this.knownTo = hasEnded ? Infinity : Math.max(this.knownTo, ...items.map(({ position }) => position));
  }

  /** An open item is fetched as next ones are; for the others the whole package is. */
  private async fetchItem(itemId: number): Promise<void> {
    const isKnown = () => this.known.some(({ id }) => id === itemId);
    const place = this.snapshot().places?.find(({ id }) => id === itemId);
    if (!isKnown() && place && isOpen(place)) await this.fetchAfter(place.position - 1);
    if (!isKnown()) await this.fetchSheet();
  }

  /** Every item of the package as the server has it now. */
  async readItems(): Promise<readonly QueuedItem[]> {
    await this.fetchSheet();
    return this.known;
  }

  private async fetchSheet(): Promise<void> {
    const { arrivals } = this;
    const { items } = await this.source.sheet();
    await this.learn(this.unchangedSince(arrivals, items));
  }

  /** Those of an answer's items for which nothing arrived since it was asked for: of the others it is outdated. */
  private unchangedSince(arrivals: number, items: readonly WorkItem[]): readonly WorkItem[] {
    return items.filter(({ id }) => (this.arrivedAt.get(id) ?? 0) <= arrivals);
  }

  private async learn(items: readonly WorkItem[]): Promise<void> {
    const fresh = await Promise.all(
      items.map(async (item) => ({ ...item, local: await this.source.localDraft(item.id) })),
    );
    this.known = withKnown(this.known, fresh);
    const { current } = this.snapshot();
    if (current) {
      const newest = (this.isKept ? null : this.known.find(({ id }) => id === current.id)) ?? current;
      this.patch({ current: newest, ahead: this.aheadOf(newest) });
    }
  }

  private fail(error: unknown): void {
    this.patch({ phase: "failed", current: null, ahead: [], error: toApiError(error) });
  }
}
