import type { ReactNode } from "react";
import { Loading } from "./Loading";
import { Problem, type CodedError } from "./Problem";

/** Renders a query: loading, failed, or its data. Data that is already there stays visible when refetching fails. */
export function Loaded<Data>({
  of,
  children,
}: {
  of: { data: Data | undefined; error: CodedError | null; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}) {
  if (of.data !== undefined) {
    return (
      <>
        {of.error && <Problem error={of.error} onRetry={() => void of.refetch()} />}
        {children(of.data)}
      </>
    );
  }
  return of.error ? <Problem error={of.error} onRetry={() => void of.refetch()} /> : <Loading />;
}
