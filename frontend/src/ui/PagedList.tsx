import type { ReactNode } from "react";
import { Loaded } from "./Loaded";
import { ListFoot, type Paged } from "./ListFoot";
import type { CodedError } from "./Problem";

interface List<Row> extends Paged {
  rows: readonly Row[];
  error: CodedError | null;
  refetch: () => unknown;
}

/** A list that is fetched page by page: loading, refused, empty, or its rows with the button for more. */
export function PagedList<Row>({ of: list, empty, children }: { of: List<Row>; empty: ReactNode; children: (rows: readonly Row[]) => ReactNode }) {
  return (
    <Loaded of={list}>
      {() =>
        list.rows.length === 0 && !list.hasNextPage ? (
          empty
        ) : (
          <>
            {children(list.rows)}
            <ListFoot list={list} />
          </>
        )
      }
    </Loaded>
  );
}
