import type { ReactNode } from "react";
import type { Filters } from "./useFilters";

interface SortedHeading {
  sorted: string;
  direction: "ascending" | "descending" | undefined;
  onSort: () => void;
}

/** A heading, `{ number }` over a column of numbers, `{ box }` over one of check boxes, or one from `sortedBy`. */
type Heading = string | { number: ReactNode } | { box: ReactNode } | SortedHeading;

/**
 * A heading that sorts the list by its column; the order is kept in the address.
 * `sort` is the order now: the column's name, with a leading "-" for the reverse.
 */
export function sortedBy(column: string, text: string, { sort, onSort }: { sort: string; onSort: Filters["set"] }): SortedHeading {
  return {
    sorted: text,
    direction: sort === column ? "ascending" : sort === `-${column}` ? "descending" : undefined,
    onSort: () => onSort({ sort: sort === column ? `-${column}` : column }),
  };
}

export function TableHead({ columns }: { columns: readonly Heading[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, index) =>
          typeof column === "string" ? (
            <th key={index} scope="col">
              {column}
            </th>
          ) : "sorted" in column ? (
            <th key={index} scope="col" aria-sort={column.direction}>
              <button type="button" className="linklike" onClick={column.onSort}>
                {column.sorted}
                {column.direction !== undefined && <span aria-hidden="true">{column.direction === "ascending" ? " ↑" : " ↓"}</span>}
              </button>
            </th>
          ) : "box" in column ? (
            <th key={index} scope="col">
              {column.box}
            </th>
          ) : (
            <th key={index} scope="col" className="number">
              {column.number}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
