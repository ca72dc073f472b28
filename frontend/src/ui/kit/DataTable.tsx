import { Table } from "antd";
import type { Key, ReactNode } from "react";
import { KitProvider } from "./KitProvider";

export interface Column<Row> {
  key: string;
  title: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable. */
  sort?: (a: Row, b: Row) => number;
  /** Right-aligned with figures of one width. */
  number?: boolean;
  width?: number;
}

/** A table of rows that are all here; lists from the server page by themselves (ListFoot). */
export function DataTable<Row extends object>({
  rows,
  columns,
  rowKey,
  label,
}: {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => Key;
  label: string;
}) {
  return (
    <KitProvider>
      <Table<Row>
        aria-label={label}
        size="middle"
        dataSource={[...rows]}
        rowKey={rowKey}
        pagination={false}
        scroll={{ x: "max-content" }}
        columns={columns.map((column) => ({
          key: column.key,
          title: column.title,
          render: (_: unknown, row: Row) => column.cell(row),
          ...(column.sort ? { sorter: column.sort } : {}),
          ...(column.number === true ? { align: "right" as const, className: "number" } : {}),
          ...(column.width === undefined ? {} : { width: column.width }),
        }))}
      />
    </KitProvider>
  );
}
