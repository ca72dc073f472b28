// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { ApiError } from "@/api/errors";
import { card, desk, file, row, settle, states, fakeTimeForEach } from "@/testing/intakeDesk";

fakeTimeForEach();

describe("sending", () => {
  it("begins at once, three at a time, in order", async () => {
    const { intake, sent } = desk();
    intake.add(["1", "2", "3", "4", "5"].map((name) => file(name)));
    await settle();
    expect(sent.map((one) => one.file.name)).toEqual(["1", "2", "3"]);
    sent[1]?.resolve("u2");
    await settle();
    expect(sent.map((one) => one.file.name)).toEqual(["1", "2", "3", "4"]);
    expect(states(intake)).toEqual(["sending", "checking", "sending", "sending", "queued"]);
    expect(intake.isBusy).toBe(true);
  });

  it("puts a later batch in front and does not take the same file twice", async () => {
    const { intake } = desk();
    intake.add([file("1"), file("2")]);
    expect(intake.add([file("3"), file("1")])).toEqual({ added: 1, known: 1 });
    await settle();
    expect(intake.snapshot().cards.map((one) => one.name)).toEqual(["3", "1", "2"]);
  });

  it("continues with the others when one is refused, and keeps why", async () => {
    const { intake, sent } = desk();
    intake.add([file("1"), file("2")]);
    await settle();
    sent[0]?.reject(new ApiError(413, "image_too_large", { maximum: 5 }));
    sent[1]?.onId("u2");
    await settle();
    expect(states(intake)).toEqual(["refused", "sending"]);
    expect(card(intake).error).toMatchObject({ code: "image_too_large", params: { maximum: 5 } });
  });

  it("waits out a lost connection and continues with the same upload", async () => {
    const { intake, sent } = desk();
    intake.add([file("1")]);
    await settle();
    sent[0]?.onId("u1");
    sent[0]?.reject(new ApiError(0, "no_connection"));
    await settle();
    expect(states(intake)).toEqual(["offline"]);
    await settle(10_000);
    expect(states(intake)).toEqual(["sending"]);
    expect([sent[1]?.known, sent[1]?.clientKey]).toEqual(["u1", sent[0]?.clientKey]);
  });

  it("takes a file off the list and off the server", async () => {
    const { intake, sent, dropped } = desk();
    intake.add([file("1")]);
    await settle();
    sent[0]?.onId("u1");
    intake.remove([card(intake).key]);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(dropped).toEqual(["u1"]);
    expect(intake.snapshot().cards).toEqual([]);
    sent[0]?.reject(new ApiError(0, "upload_stopped"));
    await settle();
    expect(intake.isBusy).toBe(false);
  });
});

describe("after a reload", () => {
  it("shows what is there already, and continues a file that is chosen again", async () => {
    const before = desk();
    before.intake.add([file("half.jpg", 9), file("whole.jpg", 3)]);
    await settle();
    before.sent[0]?.onId("u1");
    before.sent[1]?.onId("u2");
    const key = before.sent[0]?.clientKey;

    const after = desk([
      row("u1", { filename: "half.jpg", state: "receiving", bytes: 9, received: 4 }),
      row("u2", { filename: "whole.jpg", details: { author: "Li" } }),
    ]);
    await after.intake.load();
    expect(states(after.intake)).toEqual(["interrupted", "ready"]);
    expect(card(after.intake).sent).toBe(4);

    after.intake.add([file("half.jpg", 9), file("whole.jpg", 3), file("new.jpg")]);
    await settle();
    expect(after.intake.snapshot().cards.map((one) => [one.name, one.state])).toEqual([
      ["half.jpg", "sending"],
      ["whole.jpg", "ready"],
      ["new.jpg", "sending"],
    ]);
    expect(after.sent.map((one) => [one.file.name, one.known])).toEqual([
      ["half.jpg", "u1"],
      ["new.jpg", null],
    ]);
    expect(after.sent[0]?.clientKey).toBe(key);
    expect(card(after.intake, 1).details).toEqual({ author: "Li" });
  });

  it("sends details that were given before the file was chosen again", async () => {
    const before = desk();
    before.intake.add([file("half.jpg", 9)]);
    await settle();
    before.sent[0]?.onId("u1");
    const { intake, said } = desk([row("u1", { filename: "half.jpg", state: "receiving", bytes: 9, received: 4 })]);
    await intake.load();
    intake.describe(["u1"], { licence: "MIT" });
    intake.add([file("half.jpg", 9)]);
    await settle(100);
    expect(said).toEqual([[["u1"], { licence: "MIT" }]]);
    expect([card(intake).name, card(intake).details]).toEqual(["half.jpg", { licence: "MIT" }]);
  });

  it("starts again, under another key, when the server has swept the upload", async () => {
    const before = desk();
    before.intake.add([file("half.jpg", 9)]);
    await settle();
    before.sent[0]?.onId("u1");
    const after = desk();
    after.intake.add([file("half.jpg", 9)]);
    await settle();
    expect(after.sent[0]?.known).toBeNull();
    expect(after.sent[0]?.clientKey).not.toBe(before.sent[0]?.clientKey);
  });

  it("repeats a beginning whose answer was lost under the same key", async () => {
    const before = desk();
    before.intake.add([file("1.jpg")]);
    await settle();
    const after = desk();
    after.intake.add([file("1.jpg")]);
    await settle();
    expect(after.sent[0]?.clientKey).toBe(before.sent[0]?.clientKey);
  });
});
