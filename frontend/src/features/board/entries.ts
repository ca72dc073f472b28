/** What follows from a proposed category alone. */
import type { BoardEntry } from "@/api/types";

const LANGUAGE_COUNT = 3;

/** Whether a category that stays lacks a name in one of the languages, so that the list cannot be frozen. */
export const isUnnamed = ({ state, name }: BoardEntry) => state !== "removed" && state !== "merged" && Object.values(name).length < LANGUAGE_COUNT;
