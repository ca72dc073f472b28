/** The cards of the files being uploaded, one for each, with the server's state of its upload. */
import type { ApiError } from "@/api/errors";
import type { Refusal } from "@/api/sendQueue";
import type { UploadDetails, UploadRow } from "@/api/types";
import { Store } from "@/store/store";

/**
 * `queued`, `sending` and `offline` are this page's; `interrupted` is an upload of an earlier visit whose file has to
 * be chosen again; the others are the server's.
 */
export type CardState = "queued" | "sending" | "offline" | "interrupted" | "checking" | "ready" | "refused" | "failed" | "taken";

export interface Card {
  readonly key: string;
  /** The upload on the server, once it has started. */
  readonly id: string | null;
  readonly name: string;
  readonly bytes: number;
  /** Bytes that the server has. */
  readonly sent: number;
  readonly state: CardState;
  /** The file itself while it is in this page. */
  readonly file: File | null;
  readonly row: UploadRow | null;
  readonly details: UploadDetails;
  /** Details without which the picture cannot be added. */
  readonly missing: readonly string[];
  readonly error: Refusal | null;
  readonly image: { id: number; label: string } | null;
}

export interface IntakeView {
  readonly cards: readonly Card[];
  /** Whether uploads of earlier visits are known. */
  readonly isLoaded: boolean;
  readonly isAccepting: boolean;
  /** What the server reported about the whole, not about one file. */
  readonly problem: ApiError | null;
  readonly worker: { readonly alive: boolean; readonly waiting: number };
}

/** Knows which details of a card the server does not have yet, so that an older answer does not undo them here. */
export interface Descriptions {
  /** Counts the requests that describe. */
  readonly version: number;
  pendingOn: (key: string) => UploadDetails | null;
}

export class Cards extends Store<IntakeView> {
  private readonly cards = new Map<string, Card>();
  /** Newest first, each batch in the order it was chosen. */
  private order: string[] = [];

  constructor() {
    super({ cards: [], isLoaded: false, isAccepting: false, problem: null, worker: { alive: true, waiting: 0 } });
  }

  all(): Card[] {
    return this.order.flatMap((key) => this.cards.get(key) ?? []);
  }

  get(key: string): Card | undefined {
    return this.cards.get(key);
  }

  byId(id: string): Card | undefined {
    for (const card of this.cards.values()) if (card.id === id) return card;
    return undefined;
  }

  /** Changes a card without notifying; `show` notifies of many changes at once. */
  put(card: Card): void {
    this.cards.set(card.key, card);
  }

  update(key: string, part: Partial<Card>): void {
    const card = this.cards.get(key);
    if (!card) return;
    this.put({ ...card, ...part });
    this.show();
  }

  prepend(cards: readonly Card[]): void {
    for (const card of cards) this.put(card);
    this.order = [...cards.map(({ key }) => key), ...this.order];
    this.show();
  }

  /** Puts a card in the place of another. */
  replace(key: string, card: Card): void {
    this.cards.delete(key);
    this.order = this.order.map((one) => (one === key ? card.key : one));
    this.put(card);
  }

  delete(keys: readonly string[]): void {
    for (const key of keys) this.cards.delete(key);
    this.order = this.order.filter((key) => this.cards.has(key));
  }

  show(part: Partial<IntakeView> = {}): void {
    this.patch({ ...part, cards: this.all() });
  }

  /** Updates cards from the server's rows; `asOf` is the version of the descriptions at the time of the request. */
  learn(rows: readonly UploadRow[], descriptions: Descriptions, asOf: number): void {
    const added: string[] = [];
    for (const row of rows) {
      if (row.state === "dropped") continue;
      const card = this.byId(row.id);
      if (card) {
        const keepsDetails = descriptions.pendingOn(card.key) !== null || asOf !== descriptions.version;
        this.put(merged(card, row, keepsDetails));
      } else if (row.state !== "taken") {
        this.put(cardOf(row));
        added.push(row.id);
      }
    }
    this.order = [...this.order, ...added];
    this.show();
  }
}

function merged(card: Card, row: UploadRow, keepsDetails: boolean): Card {
  const fresh = cardOf(row);
  const isSending = card.state === "sending" || card.state === "queued" || card.state === "offline";
  return {
    ...fresh,
    key: card.key,
    file: card.file,
    name: card.name,
    // While the file is in this page, this page knows better how far it is than an answer that was under way.
    state: row.state === "receiving" && card.file !== null ? card.state : fresh.state,
    sent: card.file !== null ? Math.max(card.sent, fresh.sent) : fresh.sent,
    details: keepsDetails ? card.details : fresh.details,
    missing: keepsDetails ? card.missing : fresh.missing,
    error: fresh.error ?? (fresh.state === "ready" && keepsDetails ? null : isSending ? card.error : null),
  };
}

function cardOf(row: UploadRow): Card {
  return {
    key: row.id,
    id: row.id,
    name: row.filename,
    bytes: row.bytes,
    sent: row.received,
    state: row.state === "receiving" ? "interrupted" : row.state === "dropped" ? "failed" : row.state,
    file: null,
    row,
    details: row.details,
    missing: row.missing,
    error: row.error,
    image: row.image,
  };
}

/** Ready, described and a picture itself: an archive's pictures are added, not the archive. */
export function canBeAdded(card: Card): boolean {
  return card.state === "ready" && card.missing.length === 0 && card.row?.kind !== "zip" && card.id !== null;
}
