import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "./operations";

interface Description {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

const description = JSON.parse(readFileSync("src/api/openapi.json", "utf8")) as Description;

/** Names of path parameters do not matter, their places do. */
const shape = (path: string) => path.replace(/\{\w+\}/g, "{}");

const served = new Map(
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [[operationId, `${method.toUpperCase()} ${shape(path)}`] as const],
    ),
  ),
);

describe("OPERATIONS", () => {
  it.each(Object.entries(OPERATIONS))("%s is where the server has it", (id, [method, path]) => {
    expect(`${method} /api/v1/${shape(path)}`).toBe(served.get(id));
  });

  it("names every operation but downloads and the parts of an upload", () => {
    expect([...served.keys()].filter((id) => !(id in OPERATIONS))).toEqual([
      "audit_file",
      "release_file",
      "release_gates",
      "leaderboard_file",
      "submission_template",
      "submission_file",
      "upload_part",
    ]);
  });
});
