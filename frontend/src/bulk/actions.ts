/** What can be done to many rows at once; the lists say which field each action has. */
import type { ReactNode } from "react";
import type { Answer } from "@/api/request";

export type Bulk = Answer<"bulk_show">;
export type BulkValue = string | number;

export interface BulkAction {
  action: Bulk["action"];
  /** The parameter that the field fills. */
  param: "person" | "comment" | "category" | "licence" | "reason";
  /** Whether the field may stay empty. */
  isOptional?: boolean;
  field: (value: BulkValue | undefined, onChange: (value: BulkValue | undefined) => void) => ReactNode;
}

/** The rows of a list: those chosen one by one, or all that match its filters. */
export interface Rows {
  ids: readonly number[];
  isAll: boolean;
  filters: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** The operation on a single row, whose permission decides. */
export const OPERATION_OF = {
  assign: "package_assign",
  revoke: "package_take_back",
  category: "image_correct",
  licence: "image_correct",
  exclude: "item_exclude",
} as const satisfies Record<Bulk["action"], string>;

/** The body of the request for a preview. */
export function preparation({ action, param }: BulkAction, { ids, isAll, filters }: Rows, value: BulkValue | undefined) {
  const params = value === undefined || value === "" ? {} : { [param]: value };
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, one]) => one !== undefined));
  return { action, params, ...(isAll ? { filters: chosen } : { ids: [...ids] }) };
}

export const isWorking = ({ state }: Pick<Bulk, "state">) => state === "preparing" || state === "running" || state === "undoing";

export const isPreview = ({ state }: Pick<Bulk, "state">) => state === "preparing" || state === "failed" || state === "prepared";
