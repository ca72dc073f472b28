import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { curlOf, example, fieldsOf, matches, operationsIn, typeOf, type Description } from "./description";

const small: Description = {
  paths: {
    "/api/v1/things/{id}/turn": {
      post: {
        operationId: "thing_turn",
        description: "Turn a thing.",
        tags: ["things"],
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer" } },
          { name: "way", in: "query", required: true, schema: { type: "string", enum: ["left", "right"] } },
          { name: "page", in: "query", schema: { type: "integer" } },
        ],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Turn" } } } },
        responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } }, 400: {} },
      },
    },
  },
  components: {
    schemas: {
      Turn: { type: "object", required: ["client_key", "note"], properties: { client_key: { type: "string", format: "uuid" }, note: { type: "string", maxLength: 200 }, by: { type: "integer", minimum: 1, maximum: 50 } } },
      Thing: { type: "object", required: ["id", "owner"], properties: { id: { type: "integer" }, owner: { allOf: [{ $ref: "#/components/schemas/Person" }], nullable: true }, parts: { type: "array", items: { $ref: "#/components/schemas/Person" } } } },
      Person: { type: "object", required: ["name"], properties: { name: { type: "string", minLength: 1 } } },
    },
  },
};
const [turn] = operationsIn(small);

describe("an operation", () => {
  it("is called by a command with a token, its required fields and nothing else", () => {
    expect(turn && curlOf(turn, small)).toBe(
      [
        'curl -X POST -H "Authorization: Bearer $TOKEN" \\',
        '  -H "Content-Type: application/json" \\',
        '  -d \'{"client_key":"2f0c7a52-6d0e-4f6a-9a3e-0d5f6a1b7c11","note":"…"}\' \\',
        '  "$SITE/api/v1/things/7/turn?way=left"',
      ].join("\n"),
    );
  });

  it("lists the fields of its answer, those within others by their names from the outside", () => {
    expect(turn?.answers.flatMap(({ schema }) => (schema ? fieldsOf(schema, small) : []))).toEqual([
      { name: "id", type: "integer", required: true },
      { name: "owner", type: "object or null", required: true },
      { name: "owner.name", type: "string ≥ 1", required: true },
      { name: "parts", type: "list of object", required: false },
      { name: "parts[].name", type: "string ≥ 1", required: true },
    ]);
    expect(typeOf({ type: "integer", minimum: 1, maximum: 50 }, small)).toBe("integer 1–50");
  });

  it("is found by words of its name, address and text", () => {
    const hits = ["turn", "POST things", "a thing", "thing GET", ""].map((typed) => turn && matches(turn, typed));
    expect(hits).toEqual([true, true, true, false, true]);
  });
});

describe("the server's description", () => {
  const description = JSON.parse(readFileSync("src/api/openapi.json", "utf8")) as Description;
  const operations = operationsIn(description);

  it("is read whole: every operation once, with text, room and a command to its address", () => {
    const written = Object.values(description.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(operations.map(({ id }) => id).sort()).toEqual([...new Set(written)].sort());
    expect(operations.filter(({ text, room }) => text === "" || room === "")).toEqual([]);
    const commands = operations.map((one) => curlOf(one, description));
    expect(commands.filter((command) => /[{}]/.test(command.split("\n").at(-1) ?? "") || command.includes("undefined"))).toEqual([]);
  });

  it("gives every required field of a JSON body an example", () => {
    const missing = operations.flatMap(({ id, body }) => {
      if (body?.type !== "application/json" || !body.schema) return [];
      const required = fieldsOf(body.schema, description).filter((field) => field.required && !/[.[]/.test(field.name));
      const given = example(body.schema, description) as Record<string, unknown>;
      return required.filter(({ name }) => !(name in given)).map(({ name }) => `${id}.${name}`);
    });
    expect(missing).toEqual([]);
  });
});
