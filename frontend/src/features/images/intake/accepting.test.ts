// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { card, desk, row, settle, states, fakeTimeForEach } from "@/testing/intakeDesk";

fakeTimeForEach();

describe("taking in", () => {
  it("takes nothing in before what was just said has arrived", async () => {
    const { intake, server, takes } = desk([row("a")]);
    await intake.load();
    const { describe: works } = server;
    let arrive: () => void = () => undefined;
    server.describe = async (ids, details) => {
      await new Promise<void>((resolve) => (arrive = resolve));
      return works(ids, details);
    };
    intake.describe([card(intake).key], { licence: "CC0-1.0" });
    await vi.advanceTimersByTimeAsync(100);
    const done = intake.accept();
    await vi.advanceTimersByTimeAsync(100);
    expect(takes).toEqual([]);
    arrive();
    await done;
    expect(takes.map(([ids]) => ids)).toEqual([["a"]]);
    expect(states(intake)).toEqual(["taken"]);
  });

  it("takes what is ready and described, after saying what was not said yet", async () => {
    const { intake, takes, said } = desk([row("u1"), row("u2", { missing: [] }), row("u3"), row("u4", { state: "refused", missing: [] })]);
    await intake.load();
    intake.describe(["u1"], { licence: "MIT" });
    await intake.accept();
    expect(said).toHaveLength(1);
    expect(takes.map(([ids]) => ids)).toEqual([["u1", "u2"]]);
    expect(intake.snapshot().cards.map((one) => [one.state, one.image?.label ?? null])).toEqual([
      ["taken", "img-0001"],
      ["taken", "img-0002"],
      ["ready", null],
      ["refused", null],
    ]);
    intake.clearAccepted();
    expect(states(intake)).toEqual(["ready", "refused"]);
  });

  it("asks again under the same key when the answer was lost", async () => {
    const { intake, server, takes } = desk([row("u1", { missing: [] })]);
    await intake.load();
    const { take: works } = server;
    let lost = true;
    server.take = async (ids, key) => {
      const answer = await works(ids, key);
      if (!lost) return answer;
      lost = false;
      throw new ApiError(0, "no_connection");
    };
    const done = intake.accept();
    await settle(1_000);
    await done;
    expect(takes).toHaveLength(2);
    expect(takes[0]).toEqual(takes[1]);
    expect(states(intake)).toEqual(["taken"]);
  });

  it("says of one what keeps it out and takes the others", async () => {
    const { intake, server } = desk([row("u1", { missing: [] }), row("u2", { missing: [] })]);
    await intake.load();
    server.take = (ids) =>
      Promise.resolve(
        ids.map((id) =>
          id === "u1"
            ? { id, image: null, error: { code: "image_duplicate", params: { twin: "img-0009" } } }
            : { id, image: { id: 5, label: "img-0005" }, error: null },
        ),
      );
    await intake.accept();
    expect(intake.snapshot().cards.map((one) => [one.state, one.error?.code ?? null])).toEqual([
      ["ready", "image_duplicate"],
      ["taken", null],
    ]);
  });
});
