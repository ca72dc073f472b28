import type { ReactNode } from "react";

/** A heading, or `{ number }` over a column of numbers. */
type Heading = string | { number: ReactNode };

export function TableHead({ columns }: { columns: readonly Heading[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, index) =>
          typeof column === "string" ? (
            <th key={index} scope="col">
              {column}
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
