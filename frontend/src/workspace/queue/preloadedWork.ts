/** The first answer about a package's work that came with the page itself; it is good for one question. */
import type { NextWork } from "./workQueue";

let held: { packageId: number; answer: NextWork } | null = null;

export function storePreloadedWork(packageId: number, answer: NextWork): void {
  held = { packageId, answer };
}

/** The held answer if it is about this package; later calls ask the server. */
export function takePreloadedWork(packageId: number): NextWork | null {
  const answer = held?.packageId === packageId ? held.answer : null;
  held = null;
  return answer;
}
