/**
 * Operations around an item (leaving it out, comments, guidelines, notices) whose views are on their way: the agreed
 * shapes, added to the server's own description. An entry leaves as soon as schema.d.ts has it.
 */
import type { components } from "./schema";

type Schemas = components["schemas"];
type Person = Schemas["PersonBrief"];
type Texts = Schemas["LocalisedText"];

interface Answering<Body> {
  200: { headers: Record<string, unknown>; content: { "application/json": Body } };
}
interface Reads<Body, Query = never> {
  parameters: { query?: Query };
  requestBody?: never;
  responses: Answering<Body>;
}
interface Writes<Body, Input> {
  parameters: { query?: never };
  requestBody: { content: { "application/json": Input } };
  responses: Answering<Body>;
}

export type Part = "annotator" | "reviewer" | "inspector" | "administrator";

export interface CommentBody {
  id: number;
  author: Person | null;
  part: Part;
  text: string;
  mentions: { id: number; name: string | null; part: Part }[];
  created_at: string;
  mine: boolean;
}

export interface ItemBody {
  id: number;
  number: number;
  label: string;
  kind: string;
  slot: number;
  state: Schemas["ItemState"];
  revision_no: number;
  accepted_no: number | null;
  image: Schemas["WorkItem"]["image"];
  content: Record<string, unknown> | null;
  reasons: Record<string, string>;
  rules: Schemas["CaptionRules"];
  package: { id: number; label: string; state: Schemas["PackageState"] } | null;
  comments: number;
  available_actions: string[];
}

export interface GuidelineBody {
  kind: string;
  version: number;
  versions: { version: number; created_at: string; by: Person | null; note: string; acknowledged_by: number }[];
  text: Texts;
  acknowledged: boolean;
}

declare module "./schema" {
  interface operations {
    item_show: Reads<ItemBody>;
    item_skip: Writes<
      { item_id: number; state: Schemas["ItemState"]; replayed: boolean },
      { base_no: number; reasons: string[]; comment: string; client_key: string }
    >;
    comment_list: Reads<CommentBody[]>;
    comment_add: Writes<CommentBody, { text: string; mentions: number[]; client_key: string }>;
    item_people: Reads<{ id: number; name: string | null; part: Part }[]>;
    guideline_list: Reads<
      {
        kind: string;
        version: number | null;
        created_at: string | null;
        note: string;
        acknowledged: boolean;
        has_preset: boolean;
      }[]
    >;
    guideline_show: Reads<GuidelineBody, { version?: number }>;
    guideline_preset: Reads<{ text: Texts }>;
    guideline_add: Writes<GuidelineBody, { base_version: number; text: Texts; note: string; client_key: string }>;
    guideline_acknowledge: Writes<{ version: number; acknowledged: boolean }, { version: number }>;
  }
}
