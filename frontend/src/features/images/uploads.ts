/**
 * The files on their way in: three at a time, each with its own client key, so that a repeat after a lost
 * answer is the same upload. One that is refused says why and the others go on.
 */
import { newClientKey } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import type { Image } from "@/api/types";
import { uploadPicture, type UploadTransport } from "@/api/upload";

export interface SharedFields {
  source: "own" | "external";
  sourceUrl: string;
  author: string;
  licence: string;
  category: string;
}

export interface Upload {
  clientKey: string;
  name: string;
  bytes: number;
  /** Address of a preview in this page. */
  preview: string;
  state: "ready" | "queued" | "sending" | "done" | "refused" | "failed";
  /** Share of the bytes sent, 0 to 1. */
  progress: number;
  image: Image | null;
  error: ApiError | null;
}

const AT_ONCE = 3;

/** Reasons that end with another file or other details; anything else may be tried again as it is. */
function isRefusal(error: ApiError): boolean {
  return error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);
}

export class Uploads {
  private list: readonly Upload[] = [];
  private files = new Map<string, { file: File; fields: SharedFields | null; stop: AbortController }>();
  private listeners = new Set<() => void>();

  constructor(
    private readonly slug: string,
    private readonly send: UploadTransport = uploadPicture,
    private readonly onDone: (image: Image) => void = () => undefined,
  ) {}

  snapshot = (): readonly Upload[] => this.list;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Whether leaving the page would stop something. */
  get isBusy(): boolean {
    return this.list.some((upload) => upload.state === "queued" || upload.state === "sending");
  }

  add(files: Iterable<File>): void {
    const added = [...files].map((file): Upload => {
      const clientKey = newClientKey();
      this.files.set(clientKey, { file, fields: null, stop: new AbortController() });
      return {
        clientKey,
        name: file.name,
        bytes: file.size,
        preview: URL.createObjectURL(file),
        state: "ready",
        progress: 0,
        image: null,
        error: null,
      };
    });
    this.change([...this.list, ...added]);
  }

  /** Sends everything that is ready with these details. */
  start(fields: SharedFields): void {
    for (const upload of this.list) {
      if (upload.state === "ready") this.queue(upload.clientKey, fields);
    }
    this.pump();
  }

  /** The same file again: with its old key after a lost answer, with a new one when it was refused and the details changed. */
  retry(clientKey: string, fields: SharedFields): void {
    const old = this.list.find((upload) => upload.clientKey === clientKey);
    const held = this.files.get(clientKey);
    if (!old || !held || (old.state !== "failed" && old.state !== "refused")) return;
    if (old.state === "failed" && held.fields) {
      this.queue(clientKey, held.fields);
    } else {
      const fresh = newClientKey();
      this.files.delete(clientKey);
      this.files.set(fresh, { ...held, stop: new AbortController() });
      this.change(this.list.map((upload) => (upload.clientKey === clientKey ? { ...upload, clientKey: fresh } : upload)));
      this.queue(fresh, fields);
    }
    this.pump();
  }

  remove(clientKey: string): void {
    const upload = this.list.find((one) => one.clientKey === clientKey);
    if (!upload) return;
    this.files.get(clientKey)?.stop.abort();
    this.files.delete(clientKey);
    URL.revokeObjectURL(upload.preview);
    this.change(this.list.filter((one) => one.clientKey !== clientKey));
    this.pump();
  }

  /** Takes what arrived off the list. */
  clearDone(): void {
    for (const upload of this.list) {
      if (upload.state === "done") this.remove(upload.clientKey);
    }
  }

  private queue(clientKey: string, fields: SharedFields): void {
    const held = this.files.get(clientKey);
    if (!held) return;
    held.fields = { ...fields };
    held.stop = new AbortController();
    this.update(clientKey, { state: "queued", progress: 0, error: null });
  }

  private pump(): void {
    let sending = this.list.filter((upload) => upload.state === "sending").length;
    for (const upload of this.list) {
      if (sending >= AT_ONCE) return;
      if (upload.state !== "queued") continue;
      sending += 1;
      void this.transfer(upload.clientKey);
    }
  }

  private async transfer(clientKey: string): Promise<void> {
    const held = this.files.get(clientKey);
    if (!held?.fields) return;
    this.update(clientKey, { state: "sending" });
    try {
      const image = await this.send({
        slug: this.slug,
        form: formOf(held.file, held.fields, clientKey),
        onProgress: (progress) => this.update(clientKey, { progress }),
        signal: held.stop.signal,
      });
      this.update(clientKey, { state: "done", progress: 1, image });
      this.onDone(image);
    } catch (problem) {
      const error = toApiError(problem);
      this.update(clientKey, { state: isRefusal(error) ? "refused" : "failed", error });
    }
    this.pump();
  }

  private update(clientKey: string, part: Partial<Upload>): void {
    this.change(this.list.map((upload) => (upload.clientKey === clientKey ? { ...upload, ...part } : upload)));
  }

  private change(list: readonly Upload[]): void {
    this.list = list;
    for (const listener of this.listeners) listener();
  }
}

export function formOf(file: File, fields: SharedFields, clientKey: string): FormData {
  const form = new FormData();
  form.set("file", file, file.name);
  form.set("source", fields.source);
  // An own photograph has no address; its author may be left to the uploader's name.
  if (fields.source === "external") form.set("source_url", fields.sourceUrl.trim());
  form.set("author", fields.author.trim());
  form.set("licence", fields.licence);
  if (fields.category !== "") form.set("category", fields.category);
  form.set("client_key", clientKey);
  return form;
}

/** What is still missing before files can be sent. */
export function missingFields(fields: SharedFields): (keyof SharedFields)[] {
  const missing: (keyof SharedFields)[] = [];
  if (fields.licence === "") missing.push("licence");
  if (fields.category === "") missing.push("category");
  if (fields.source === "external") {
    if (!isWebAddress(fields.sourceUrl)) missing.push("sourceUrl");
    if (fields.author.trim() === "") missing.push("author");
  }
  return missing;
}

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}

/** Pictures among what was dropped or pasted; the server decides what they really are. */
export function picturesIn(transfer: DataTransfer | null): File[] {
  return [...(transfer?.files ?? [])].filter((file) => file.type.startsWith("image/") || file.type === "");
}
