/** The item of a team that is open on the desk, with what an earlier visit typed into it and the server never heard of. */
import { toApiError, type ApiError } from "@/api/errors";
import type { PeerItem } from "@/api/types";
import { Store } from "@/store/store";
import type { Content } from "@/kinds/kind";
import type { QueuedItem, Stored } from "../queue/workQueue";
import type { DraftRequest } from "../saving/draftSaver";

export interface OpenItemState {
  readonly item: PeerItem | null;
  readonly local: DraftRequest<Content> | null;
  readonly error: ApiError | null;
}

export interface OpenItemSource {
  show: () => Promise<PeerItem>;
  localDraft: () => Promise<DraftRequest<Content> | null>;
}

export class OpenItem extends Store<OpenItemState> {
  constructor(private readonly source: OpenItemSource) {
    super({ item: null, local: null, error: null });
  }

  /** Fetches the item. What is on the screen is replaced by this alone, so that a newer revision never takes a text away. */
  async load(): Promise<void> {
    this.patch({ error: null });
    try {
      const item = await this.source.show();
      this.patch({ item, local: await this.source.localDraft() });
    } catch (error) {
      this.patch({ error: toApiError(error) });
    }
  }

  /** A text has arrived: the item is what was submitted, at the revision the server gave it. */
  delivered(stored: Stored): void {
    const { item } = this.snapshot();
    if (item) this.patch({ item: { ...item, ...stored, draft: null, sent_back: null, mine: true }, local: null });
  }

  /** What the person wrote was discarded: the item is the newest revision alone. */
  async discarded(): Promise<void> {
    this.amend({ draft: null });
    this.patch({ local: null });
    await this.load();
  }

  amend(change: Partial<PeerItem>): void {
    const { item } = this.snapshot();
    if (item) this.patch({ item: { ...item, ...change } });
  }
}

/** The item as the desk takes it: its rules name its team's language, it has no position among others, and no one skips it. */
export function queuedItem({ slot, sent_back: returned, ...item }: PeerItem, local: OpenItemState["local"]): QueuedItem {
  return { ...item, language: null, number: 0, position: slot, returned, skipped: null, is_corrected: false, checked: false, local };
}
