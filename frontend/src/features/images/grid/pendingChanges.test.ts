import { describe, expect, it } from "vitest";
import type { Image } from "@/api/types";
import { pendingChanges } from "./pendingChanges";
import type { Decision, Judgement } from "./judgementQueue";

const decision = (slug: string, state: Image["state"], judgement: Judgement): Decision => ({
  verdict: { subject: 1, work: { image: { category: { slug }, state } as Image, judgement }, key: "", group: 1, due: 0, state: "pending", error: null },
});

describe("pendingChanges", () => {
  it("counts what is accepted and takes away what is no more", () => {
    const changes = pendingChanges(
      new Map([
        [1, decision("tea", "received", { outcome: "accepted" })],
        [2, decision("tea", "received", { outcome: "accepted", category: "lion" })],
        [3, decision("lion", "accepted", { outcome: "refused", reasons: ["x"] })],
        [4, decision("tea", "received", { outcome: "refused", reasons: ["x"] })],
        [5, {}],
      ]),
    );
    expect(Object.fromEntries(changes)).toEqual({ tea: 1, lion: 0 });
  });
});
