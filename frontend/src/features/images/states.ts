import type { Image } from "@/api/types";
import type { Tone } from "@/ui/Chip";

export const STATES = ["received", "accepted", "refused", "withdrawn"] as const satisfies readonly Image["state"][];

export const STATE_TONES: Readonly<Record<Image["state"], Tone | undefined>> = {
  received: undefined,
  accepted: "good",
  refused: "bad",
  withdrawn: "warn",
};
