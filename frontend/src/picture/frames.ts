/** Writes to the page once per frame: of several requests between two frames, the last one counts. */
export class FrameWriter {
  private pending: (() => void) | null = null;
  private frame = 0;

  request(write: () => void): void {
    this.pending = write;
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.flush();
    });
  }

  /** Writes what waits, at once. */
  flush(): void {
    const write = this.pending;
    this.cancel();
    write?.();
  }

  cancel(): void {
    if (this.frame !== 0) cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.pending = null;
  }
}
