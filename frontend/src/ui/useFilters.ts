import { useSearchParams } from "react-router";

export interface Filters {
  search: URLSearchParams;
  isEmpty: boolean;
  /** The value under a name; undefined when the list is not filtered by it. */
  get: (name: string) => string | undefined;
  /** The value if it is among those allowed. */
  oneOf: <Value extends string | number>(name: string, allowed: readonly Value[]) => Value | undefined;
  /** A positive number, such as an id. */
  number: (name: string) => number | undefined;
  /** Changes the named filters and keeps the others; undefined and "" remove one. */
  set: (values: Readonly<Record<string, string | number | undefined>>, options?: { replace: boolean }) => void;
  clear: () => void;
}

/**
 * A list's filters, kept in the address: a link or the back button leads to the same rows.
 * With `replace` a change makes no entry in the browser's history.
 */
export function useFilters({ replace = false }: { replace?: boolean } = {}): Filters {
  const [search, setSearch] = useSearchParams();
  return {
    search,
    isEmpty: search.toString() === "",
    get: (name) => {
      const value = search.get(name);
      return value === null || value === "" ? undefined : value;
    },
    oneOf: (name, allowed) => allowed.find((one) => String(one) === search.get(name)),
    number: (name) => Number(search.get(name)) || undefined,
    set: (values, options = { replace }) => {
      setSearch((current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(values)) {
          if (value === undefined || value === "") next.delete(name);
          else next.set(name, String(value));
        }
        return next;
      }, options);
    },
    clear: () => setSearch({}, { replace }),
  };
}
