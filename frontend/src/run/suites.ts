/** Whether a suite compares texts with pictures: its runs have a leaderboard of their own, and no samples. */
export function isRetrieval(suite: string): boolean {
  return suite === "retrieval";
}
