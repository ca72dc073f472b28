/** The server's description of its API as operations with fields and examples. Pure. */

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly description: string;
            readonly tags: readonly string[];
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: { readonly content: Content };
            readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Body {
  readonly type: string;
  readonly schema: Schema | null;
}

export interface Operation {
  readonly id: string;
  readonly room: string;
  readonly method: string;
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly body: Body | null;
  readonly answers: readonly Body[];
}

/** All operations, by room and then by name. */
export function operationsIn(description: Description): Operation[] {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => {
      const success = Object.entries(one.responses).find(([status]) => status.startsWith("2"))?.[1].content;
      return {
        id: one.operationId,
        room: one.tags[0] ?? "",
        method: method.toUpperCase(),
        path,
        text: one.description,
        parameters: one.parameters ?? [],
        body: bodiesIn(one.requestBody?.content)[0] ?? null,
        answers: bodiesIn(success),
      };
    }),
  );
  return operations.sort((a, b) => a.room.localeCompare(b.room) || a.id.localeCompare(b.id));
}

function bodiesIn(content: Content | undefined): Body[] {
  return Object.entries(content ?? {}).map(([type, { schema }]) => ({ type, schema: schema ?? null }));
}

/** The schema that a reference names, with what is written beside the reference. */
export function resolve(schema: Schema, description: Description): Schema {
  const target = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
  if (target === undefined) return schema;
  const named = description.components.schemas[target.replace("#/components/schemas/", "")] ?? {};
  return resolve({ ...named, ...(schema.nullable === true ? { nullable: true } : {}) }, description);
}

/** A type in a few characters: "string (uuid)", "integer 1–50", "list of object", "one of: a, b". */
export function typeOf(schema: Schema, description: Description): string {
  const whole = resolve(schema, description);
  const none = whole.nullable === true ? " or null" : "";
  if (whole.enum) return `one of: ${whole.enum.map(String).join(", ")}${none}`;
  if (whole.oneOf) return `one of ${String(whole.oneOf.length)} shapes${none}`;
  if (whole.type === "array") return `list of ${whole.items ? typeOf(whole.items, description) : "any"}${none}`;
  const limits = limitsOf(whole);
  const format = whole.format !== undefined && whole.format !== "int64" ? ` (${whole.format})` : "";
  return `${whole.type ?? "any"}${format}${limits === "" ? "" : ` ${limits}`}${none}`;
}

function limitsOf({ minimum, maximum, minLength, maxLength }: Schema): string {
  const [least, most] = minimum !== undefined || maximum !== undefined ? [minimum, maximum] : [minLength, maxLength];
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return `≥ ${String(least)}`;
  return least === undefined ? `≤ ${String(most)}` : `${String(least)}–${String(most)}`;
}

export interface FieldRow {
  /** Names down to the field: "items.0.label". */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** Levels of fields within fields that are listed. */
const DEEPEST = 3;

/** The fields of a body, those within others below them. */
export function fieldsOf(schema: Schema, description: Description, prefix = "", depth = 0): FieldRow[] {
  const whole = resolve(schema, description);
  if (whole.type === "array" && whole.items) return fieldsOf(whole.items, description, `${prefix}[].`, depth);
  return Object.entries(whole.properties ?? {}).flatMap(([name, field]) => {
    const row = { name: `${prefix}${name}`, type: typeOf(field, description), required: whole.required?.includes(name) ?? false };
    if (depth >= DEEPEST) return [row];
    const inner = resolve(field, description);
    const entries = inner.type === "array" ? inner.items : undefined;
    return [row, ...fieldsOf(entries ?? inner, description, `${prefix}${name}${entries ? "[]" : ""}.`, depth + 1)];
  });
}

/** A value of a schema that a reader replaces by their own; of an object only what is required. */
export function example(schema: Schema, description: Description): unknown {
  const whole = resolve(schema, description);
  if (whole.default !== undefined) return whole.default;
  if (whole.nullable === true) return null;
  if (whole.enum) return whole.enum[0];
  if (whole.oneOf?.[0]) return example(whole.oneOf[0], description);
  switch (whole.type) {
    case "array":
      return whole.items === undefined ? [] : [example(whole.items, description)];
    case "integer":
    case "number":
      return whole.minimum ?? 1;
    case "boolean":
      return true;
    case "string":
      return EXAMPLES[whole.format ?? ""] ?? "…";
    default:
      return Object.fromEntries(
        (whole.required ?? []).flatMap((name) => {
          const field = whole.properties?.[name];
          return field ? [[name, example(field, description)]] : [];
        }),
      );
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  uuid: "2f0c7a52-6d0e-4f6a-9a3e-0d5f6a1b7c11",
  "date-time": "2026-01-31T08:00:00Z",
  date: "2026-01-31",
  uri: "https://example.org/",
};

/** A command that calls the operation with a token: `$SITE` and `$TOKEN` are the reader's. */
export function curlOf(operation: Operation, description: Description): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
    return parameter?.schema.type === "integer" ? "7" : name.toUpperCase();
  });
  const query = operation.parameters.filter((one) => one.in === "query" && one.required === true);
  const search = query.map((one) => `${one.name}=${encodeURIComponent(String(example(one.schema, description)))}`).join("&");
  const lines = [`curl${operation.method === "GET" ? "" : ` -X ${operation.method}`} -H "Authorization: Bearer $TOKEN"`];
  for (const header of operation.parameters.filter((one) => one.in === "header" && one.required === true)) {
    lines.push(`-H "${header.name}: ${String(example(header.schema, description))}"`);
  }
  lines.push(...bodyLines(operation.body, description));
  lines.push(`"$SITE${path}${search === "" ? "" : `?${search}`}"`);
  return lines.join(" \\\n  ");
}

function bodyLines(body: Body | null, description: Description): string[] {
  if (body === null) return [];
  if (body.type === "application/json") {
    const value = JSON.stringify(example(body.schema ?? {}, description)).replaceAll("'", "'\\''");
    return ['-H "Content-Type: application/json"', `-d '${value}'`];
  }
  if (body.type !== "multipart/form-data") return [`-H "Content-Type: ${body.type}"`, "--data-binary @FILE"];
  const whole = resolve(body.schema ?? {}, description);
  return (whole.required ?? []).map((name) => {
    const field = resolve(whole.properties?.[name] ?? {}, description);
    return `-F ${name}=${field.format === "binary" ? "@FILE" : String(example(field, description))}`;
  });
}

/** Whether an operation has all of the typed words in its name, address or text. */
export function matches(operation: Operation, typed: string): boolean {
  const text = `${operation.id} ${operation.method} ${operation.path} ${operation.text}`.toLowerCase();
  return typed.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
