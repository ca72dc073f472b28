// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { ApiError } from "@/api/errors";
import { card, desk, file, row, settle, fakeTimeForEach } from "@/testing/intakeDesk";

fakeTimeForEach();

describe("describing", () => {
  it("says one thing of many in one request, also of files not started yet", async () => {
    const { intake, sent, said, held } = desk([row("u1"), row("u2")]);
    await intake.load();
    intake.add([file("1")]);
    await settle();
    intake.describe(
      intake.snapshot().cards.map((one) => one.key),
      { licence: "CC0-1.0", author: " Li " },
    );
    expect(intake.snapshot().cards.map((one) => one.missing)).toEqual([[], [], []]);
    await settle(60);
    expect(said).toEqual([[["u1", "u2"], { licence: "CC0-1.0", author: "Li" }]]);
    held.set("u3", row("u3", { state: "receiving" }));
    sent[0]?.onId("u3");
    await settle(60);
    expect(said[1]).toEqual([["u3"], { licence: "CC0-1.0", author: "Li" }]);
    expect(card(intake).details).toEqual({ licence: "CC0-1.0", author: "Li" });
  });

  it("is not lost when the connection is", async () => {
    const { intake, server, said } = desk([row("u1")]);
    await intake.load();
    const { describe: works } = server;
    server.describe = () => Promise.reject(new ApiError(0, "no_connection"));
    intake.describe(["u1"], { licence: "MIT" });
    await settle(60);
    expect(intake.isBusy).toBe(true);
    expect(intake.snapshot().problem?.code).toBe("no_connection");
    server.describe = works;
    await settle(10_100);
    expect(said).toEqual([[["u1"], { licence: "MIT" }]]);
    expect([intake.isBusy, intake.snapshot().problem]).toEqual([false, null]);
  });
});

describe("a description that the server refuses", () => {
  it("is not shown as said, and the server's reason is", async () => {
    const { intake, server } = desk([row("u1", { details: { author: "Li" } })]);
    await intake.load();
    server.describe = () => Promise.reject(new ApiError(422, "site_not_allowed", { host: "e.org" }));
    intake.describe(["u1"], { url: "https://e.org/a.jpg" });
    await settle(60);
    expect(card(intake).details).toEqual({ author: "Li" });
    expect(intake.snapshot().problem?.code).toBe("site_not_allowed");
    expect(intake.isBusy).toBe(false);
  });
});
