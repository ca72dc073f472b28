/** Parameters, bodies, answers and addresses of operations, typed by the server's API description. */
import { OPERATIONS, type OperationId } from "./operations";
import type { operations } from "./schema";

type Json<Message> = Message extends { content: { "application/json": infer Content } } ? Content : never;
type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202)];

/** What an operation answers when it succeeds. */
export type Answer<Id extends OperationId> = Json<Success<operations[Id]["responses"]>>;

type Address<Id extends OperationId> = (typeof OPERATIONS)[Id][1];
type Names<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type PathPart<Id extends OperationId> = [Names<Address<Id>>] extends [never]
  ? unknown
  : { path: { [Name in Names<Address<Id>>]: Name extends "b" | "slug" | "scope" | "uuid" | "preset" | "purpose" | "kind" | "name" | "language" ? string : number } };

type QueryPart<Id extends OperationId> = operations[Id]["parameters"] extends { query?: infer Query }
  ? [Exclude<Query, undefined>] extends [never]
    ? unknown
    : { query?: { [Name in keyof Query]?: Query[Name] | null } }
  : unknown;

type BodyPart<Id extends OperationId> = operations[Id] extends { requestBody?: infer Body }
  ? [Exclude<Body, undefined>] extends [never]
    ? unknown
    : { body: Exclude<Body, undefined> extends { content: { "multipart/form-data": unknown } } ? FormData : Json<Exclude<Body, undefined>> }
  : unknown;

/** What a call passes: exactly the parts its operation has. */
export type Request<Id extends OperationId> = object & PathPart<Id> & QueryPart<Id> & BodyPart<Id>;

/** The parts of a request that its address is made of. */
interface Addressed {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | null | undefined>;
}

/** The address of an operation with its path parameters and query filled in; empty query values are left out. */
export function addressOf(id: OperationId, request: Addressed): string {
  const filled = OPERATIONS[id][1].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = request.path?.[name];
    if (value === undefined) throw new Error(`${id} needs the path parameter "${name}"`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  const tail = query.toString();
  return `/api/v1/${filled}${tail === "" ? "" : `?${tail}`}`;
}
