const STORED = "lantern.benchmark";

export function lastBenchmark(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

export function rememberBenchmark(slug: string): void {
  try {
    localStorage.setItem(STORED, slug);
  } catch {
    // Without storage "/" leads to the first benchmark.
  }
}
