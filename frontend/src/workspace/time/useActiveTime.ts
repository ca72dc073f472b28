/** Time spent on the open item. */
import type { QueuedItem } from "../queue/workQueue";

/** Reads the milliseconds spent on the item since its last revision; null where nothing is counted. */
export const useActiveTime: (item: QueuedItem) => () => number | null = () => () => null;
