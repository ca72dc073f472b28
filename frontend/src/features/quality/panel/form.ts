/** The fields of a judge's form beside `pass`, and the values that are typed into them. */
import type { FormField } from "@/api/types";

export type Values = Readonly<Record<string, unknown>>;

/** A field that has a code and a name: all but the one of type `pass`. */
export type NamedField = FormField & Required<Pick<FormField, "code" | "name">>;

export function namedFields(form: readonly FormField[]): NamedField[] {
  return form.filter((field): field is NamedField => field.code !== undefined && field.name !== undefined);
}

/** The required fields that have no value yet. */
export function missingFields(form: readonly FormField[], values: Values): NamedField[] {
  return namedFields(form).filter((field) => {
    const value = values[field.code];
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0) || (typeof value === "string" && value.trim() === "");
    return field.required === true && isEmpty;
  });
}
