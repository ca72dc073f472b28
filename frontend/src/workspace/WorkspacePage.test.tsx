import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { Finding } from "@/api/types";
import { deskForEach, item, open, pkg, requests, rules } from "@/testing/desk";
import type { Asked } from "@/testing/server";

const overlap: Finding = {
  code: "caption_overlap",
  field: "captions.1",
  severity: "error",
  overridable: true,
  params: { other: 0, percent: 47, limit: 30 },
  spans: [{ field: "captions.1", start: 0, end: 4 }],
};

const write = (...captions: string[]) =>
  captions.forEach((value, index) => fireEvent.change(field(index + 1), { target: { value } }));
const field = (number: number) => screen.getByTestId<HTMLTextAreaElement>(`caption-${number}`);

deskForEach();

describe("writing captions", () => {
  test("walks from field to field with Enter and hands in with the keyboard, without waiting for the answer", async () => {
    const never = new Promise<never>(() => undefined);
    const { server, keys } = await open([item(1), item(2)]);
    const fetching = globalThis.fetch;
    vi.stubGlobal("fetch", (address: string, init?: RequestInit) =>
      address.endsWith("/submit") ? never : fetching(address, init),
    );
    await keys.keyboard("两只舞狮{Enter}红灯笼");
    expect(field(1).value).toBe("两只舞狮");
    expect(screen.getByTestId("caption-2-count").textContent).toBe("3");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000002"));
    expect(screen.getByTestId("save-state").dataset.state).toBe("saving");
    expect(field(1).value).toBe("");
    expect(requests(server, "POST", "items/101/submit")).toEqual([]);
  });

  test("sends one submitted text with the base it was written on, and counts it", async () => {
    const { server, keys } = await open([item(1), item(2)]);
    write("两只舞狮站在牌楼前面", "红灯笼挂在门的两边");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(requests(server, "POST", "items/101/submit")).toHaveLength(1));
    expect(requests(server, "POST", "items/101/submit")[0]?.body).toMatchObject({
      base_no: 0,
      content: { captions: ["两只舞狮站在牌楼前面", "红灯笼挂在门的两边"] },
      reasons: {},
    });
    await screen.findByText(/1 \/ 2/);
    await waitFor(() => expect(screen.getByTestId("save-state").dataset.state).toBe("saved"));
  });

  test("does not submit while a field is empty, and goes there", async () => {
    const { server, keys } = await open([item(1)]);
    write("两只舞狮站在牌楼前面");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.getByText(/Fill in every field/)).toBeTruthy();
    expect(document.activeElement).toBe(field(2));
    expect(requests(server, "POST", "items/101/submit")).toEqual([]);
  });

  test("shows what the server found, marked in the text, and lets a reason keep it", async () => {
    const { server, keys } = await open([item(1)], {
      "PUT /api/v1/items/101/draft": (request: Asked) => ({
        body: { seq: (request.body as { seq: number }).seq, findings: [overlap], saved_at: "2026-01-01T00:00:00Z" },
      }),
    });
    write("两只舞狮站在牌楼前面", "两只舞狮在空地上跳");
    await keys.keyboard("{Control>}s{/Control}");
    const finding = await screen.findByTestId("finding-caption_overlap");
    expect(finding.textContent).toContain("47% overlap with sentence 1 (limit 30%)");
    expect(finding.textContent).toContain("两只舞狮");
    expect(document.querySelector("mark")?.textContent).toBe("两只舞狮");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    expect(requests(server, "POST", "items/101/submit")).toEqual([]);
    await keys.type(screen.getByTestId("reason-caption_overlap"), "only lions");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(requests(server, "POST", "items/101/submit")).toHaveLength(1));
    expect(requests(server, "POST", "items/101/submit")[0]?.body).toMatchObject({
      reasons: { caption_overlap: "only lions" },
    });
  });

  test("an Enter that ends an input method's composition moves nothing", async () => {
    await open([item(1)]);
    field(1).focus();
    field(1).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }));
    expect(document.activeElement).toBe(field(1));
  });

});

test("a returned package is not edited here before its annotator begins to correct it", async () => {
  const returned = { ...pkg, state: "returned", available_actions: ["package_resume"] };
  await open([], { "GET /api/v1/packages/9/next": { body: { package: returned, rules, items: [item(1)] } } }, "returned-package");
  expect(screen.getByTestId("to-returned").getAttribute("href")).toBe("/b/demo/packages/9");
  expect(screen.queryByTestId("task")).toBeNull();
});

describe("by mouse", () => {
  test("every action has a button: put off, go back, skip, comments, guidelines", async () => {
    const { keys } = await open([item(1), item(2)], { "GET /api/v1/items/102/comments": { body: [] } });
    const tool = (name: string) => screen.getByTestId<HTMLButtonElement>(`do-workspace.${name}`);
    expect(tool("previous").disabled).toBe(true);
    await keys.click(screen.getByTestId("foot-workspace.later"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000002"));
    expect(document.activeElement).toBe(field(1));

    for (const name of ["guidelines", "comments", "skip"]) {
      await keys.click(tool(name));
      expect(await screen.findByTestId(`panel-${name}`)).toBeTruthy();
      expect(tool(name).getAttribute("aria-pressed")).toBe("true");
      await keys.click(tool(name));
      expect(screen.queryByTestId(`panel-${name}`)).toBeNull();
      // The typing continues where it was.
      expect(document.activeElement).toBe(field(1));
    }

    await keys.click(tool("previous"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000001"));
    write("两只舞狮站在牌楼前面", "红灯笼挂在门的两边");
    await keys.click(screen.getByTestId("foot-workspace.submit"));
    await screen.findByText(/1 \/ 2/);
  });
});

describe("the strip of items", () => {
  test("shows every item's state, leads to any, and makes the count exact", async () => {
    const states = ["todo", "made", "todo"] as const;
    const places = states.map((state, index) => ({ id: 101 + index, label: `cap-00000${index + 1}`, position: index + 1, state }));
    const written = item(2, { state: "made", revision_no: 1, content: { captions: ["一", "二"] } });
    const { keys } = await open([item(1), item(3)], {
      "GET /api/v1/packages/9/items": { body: { items: places } },
      "GET /api/v1/packages/9": { body: { ...pkg, rules, items: [item(1), written, item(3)] } },
    });
    await screen.findByTestId("strip");
    await screen.findByText(/1 \/ 2/);
    const marks = () => places.map(({ label }) => screen.getByTestId(`place-${label}`).dataset.mark);
    expect(marks()).toEqual(["todo", "made", "todo"]);
    await keys.click(screen.getByTestId("place-cap-000002"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000002"));
    expect(screen.getByTestId("place-cap-000002").getAttribute("aria-current")).toBe("true");
    expect(field(1).value).toBe("一");
    await keys.click(screen.getByTestId("strip-todo"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000003"));
    await keys.click(screen.getByTestId("place-cap-000001"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000001"));
    write("两只舞狮站在牌楼前面", "红灯笼挂在门的两边");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(marks()).toEqual(["made", "made", "todo"]));
    await screen.findByText(/2 \/ 2/);
  });
});

describe("opening an item", () => {
  test("continues with the server's draft", async () => {
    await open([item(1, { draft: { content: { captions: ["昨天写到这里", ""] }, seq: 4, base_no: 0, active_ms: 0 } })]);
    expect(field(1).value).toBe("昨天写到这里");
  });

  test("shows what was typed into an item that was put off, when it is opened again", async () => {
    const { keys } = await open([item(1), item(2)]);
    write("昨天写到这里");
    await keys.click(screen.getByTestId("later"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000002"));
    await keys.click(screen.getByTestId("later"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000001"));
    expect(field(1).value).toBe("昨天写到这里");
  });

  test("says why an item came back", async () => {
    const returned = {
      stage: "review",
      reasons: ["not_true"],
      comment: "图里没有茶",
      by: { id: 5, name: "Wang Fang" },
    };
    await open([item(1, { state: "returned", revision_no: 1, content: { captions: ["一杯茶", "两杯茶"] }, returned })]);
    const notice = screen.getByTestId("returned");
    expect(notice.textContent).toContain("Returned by the reviewer: Not what the picture shows");
    expect(notice.textContent).toContain("图里没有茶");
  });

  test("keeps a text whose picture was covered meanwhile, and submits it for the new picture", async () => {
    const covered = { ...item(1), image: { ...item(1).image, redaction_no: 1, view_url: "/media/1/view-2" } };
    let tries = 0;
    const { server, keys } = await open([item(1), item(2)], {
      "GET /api/v1/packages/9": { body: { package: pkg, rules, items: [covered, item(2)] } },
      "POST /api/v1/items/101/submit": () => {
        tries += 1;
        if (tries > 1) return { body: { item_id: 101, state: "made", revision_no: 1, findings: [], replayed: false } };
        return { status: 409, body: { code: "picture_changed", params: {}, detail: "" } };
      },
    });
    write("两只舞狮站在牌楼前面", "红灯笼挂在门的两边");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(screen.getByTestId("save-state").dataset.state).toBe("refused"));
    await keys.click(screen.getByTestId("save-state"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000001"));
    expect([field(1).value, field(2).value]).toEqual(["两只舞狮站在牌楼前面", "红灯笼挂在门的两边"]);
    expect(screen.getByTestId("submit-refused").textContent).toContain("This picture was changed: something in it was covered.");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(requests(server, "POST", "items/101/submit")).toHaveLength(2));
    const [first, second] = requests(server, "POST", "items/101/submit").map(({ body }) => body);
    expect(first).toMatchObject({ picture_no: 0 });
    expect(second).toMatchObject({ picture_no: 1, base_no: 0, content: { captions: ["两只舞狮站在牌楼前面", "红灯笼挂在门的两边"] } });
    await waitFor(() => expect(screen.getByTestId("save-state").dataset.state).toBe("saved"));
  });

  test("does not call a package written while the server refused its last text, and leads there", async () => {
    const { keys } = await open([item(1)], {
      "POST /api/v1/items/101/submit": { status: 422, body: { code: "content_refused", params: { count: 1, findings: [overlap] }, detail: "" } },
    });
    write("两只舞狮站在牌楼前面", "两只舞狮站在牌楼旁边");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    const notice = await screen.findByText(/did not take 1 item as it is/);
    expect(screen.getByTestId("finished").textContent).toContain("cap-pkg-0001: some texts were not accepted");
    expect(notice).toBeTruthy();
    await keys.click(screen.getByTestId("to-undecided"));
    await waitFor(() => expect(screen.getByTestId("task").dataset.item).toBe("cap-000001"));
    expect(field(2).value).toBe("两只舞狮站在牌楼旁边");
    expect(screen.getByTestId("submit-refused")).toBeTruthy();
  });

  test("meets a newer revision with both texts and hands in what the person chose", async () => {
    let tries = 0;
    const { server, keys } = await open([item(1), item(2)], {
      "POST /api/v1/items/101/submit": () => {
        tries += 1;
        if (tries > 1) return { body: { item_id: 101, state: "made", revision_no: 3, findings: [], replayed: false } };
        return {
          status: 409,
          body: {
            code: "stale_revision",
            params: { base_no: 0, revision_no: 2 },
            detail: "",
            theirs: { captions: ["对方写的第一句话", "红灯笼挂在门的两边"] },
            base: null,
          },
        };
      },
    });
    write("两只舞狮站在牌楼前面", "红灯笼挂在门的两边");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(screen.getByTestId("save-state").dataset.state).toBe("conflict"));
    await keys.click(screen.getByTestId("save-state"));
    await screen.findByTestId("conflict");
    await keys.keyboard("{Control>}{Enter}{/Control}");
    expect(screen.getByTestId("conflict-hint").textContent).toContain("changed one field");
    expect(document.activeElement).toBe(screen.getByTestId("conflict-1-mine"));
    expect(requests(server, "POST", "items/101/submit")).toHaveLength(1);
    await keys.click(screen.getByTestId("conflict-1-theirs"));
    await keys.click(screen.getByTestId("conflict-submit"));
    await waitFor(() => expect(requests(server, "POST", "items/101/submit")).toHaveLength(2));
    expect(requests(server, "POST", "items/101/submit")[1]?.body).toMatchObject({
      base_no: 2,
      content: { captions: ["对方写的第一句话", "红灯笼挂在门的两边"] },
    });
  });
});
