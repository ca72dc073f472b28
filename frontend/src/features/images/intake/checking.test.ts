// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { signals } from "@/api/signals";
import { card, desk, file, row, settle, states, fakeTimeForEach } from "@/testing/intakeDesk";

fakeTimeForEach();

describe("checks", () => {
  it("are looked at until they are done", async () => {
    const { intake, sent, held } = desk();
    intake.add([file("1")]);
    await settle();
    sent[0]?.onId("u1");
    held.set("u1", row("u1", { state: "checking", checks: [{ code: "size", state: "passed", params: {} }] }));
    sent[0]?.resolve("u1");
    await settle(6);
    expect(card(intake).row?.checks).toHaveLength(1);
    held.set("u1", row("u1", { state: "refused", error: { code: "image_duplicate", params: { twin: "img-0007" } } }));
    await settle(6);
    expect(states(intake)).toEqual(["refused"]);
    expect(card(intake).name).toBe("1");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are not asked about while no one is signed in, nor once stopped", async () => {
    const { intake, server, sent } = desk([row("u1", { state: "checking" })]);
    const asked = vi.spyOn(server, "rows");
    intake.add([file("1")]);
    await settle();
    expect(sent).toHaveLength(1);
    signals.signedOut();
    await settle(5);
    const before = asked.mock.calls.length;
    await settle(100);
    expect(asked.mock.calls.length).toBe(before);
    signals.signedIn();
    await settle(10);
    expect(asked.mock.calls.length).toBeGreaterThan(before);
    const last = asked.mock.calls.length;
    intake.stop();
    signals.reached(false);
    signals.reached(true);
    intake.add([file("2")]);
    await settle(100);
    expect(asked.mock.calls.length).toBe(last);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it("of many are looked at in turn, not the first ones again and again", async () => {
    const many = Array.from({ length: 120 }, (_, i) => row(`u${i}`, { state: "checking" }));
    const { intake, server } = desk(many);
    const { rows: works } = server;
    const asked: string[] = [];
    server.rows = (ids) => {
      asked.push(`${ids[0] ?? ""} ${ids.length}`);
      return works(ids);
    };
    await intake.load();
    await settle(21);
    expect(asked).toEqual(["u0 50", "u50 50", "u100 20", "u0 50"]);
  });

  it("are not lost to an answer that was under way while the last bytes arrived", async () => {
    const { intake, server, sent, held } = desk();
    intake.add([file("1")]);
    await settle();
    held.set("u1", row("u1", { state: "receiving", received: 0 }));
    const { describe: works } = server;
    server.describe = async (ids, details) => {
      const before = await works(ids, details);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return before;
    };
    intake.describe([card(intake).key], { licence: "MIT" });
    sent[0]?.onId("u1");
    await settle(70);
    sent[0]?.resolve("u1");
    await settle(41);
    expect(states(intake)).toEqual(["checking"]);
    held.set("u1", row("u1", { missing: [] }));
    await settle(10);
    expect(states(intake)).toEqual(["ready"]);
  });

  it("of an archive bring its pictures as cards of their own", async () => {
    const { intake, sent, held } = desk();
    intake.add([file("trip.zip")]);
    await settle();
    held.set("z", row("z", { kind: "zip", state: "taken" }));
    held.set("e1", row("e1", { parent: "z" }));
    sent[0]?.onId("z");
    sent[0]?.resolve("z");
    await settle(6);
    expect(intake.snapshot().cards.map((one) => one.id)).toEqual(["z", "e1"]);
  });

  it("of an archive list its next pictures once the known ones are checked, not at every look", async () => {
    const { intake, server, held } = desk([row("z", { kind: "zip", state: "checking" }), row("e1", { parent: "z", state: "checking" })]);
    const listed = vi.spyOn(server, "open");
    await intake.load();
    held.set("e2", row("e2", { parent: "z", state: "checking" }));
    await settle(21);
    expect(listed).toHaveBeenCalledTimes(1);
    held.set("e1", row("e1", { parent: "z" }));
    await settle(6);
    expect(listed).toHaveBeenCalledTimes(2);
    expect(intake.snapshot().cards.map((one) => one.id)).toEqual(["z", "e1", "e2"]);
    held.set("e2", row("e2", { parent: "z" }));
    held.set("z", row("z", { kind: "zip", state: "taken" }));
    await settle(12);
    expect(states(intake)).toEqual(["taken", "ready", "ready"]);
  });
});
