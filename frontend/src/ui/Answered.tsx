import type { ReactNode } from "react";
import { Loading } from "./Loading";
import { Problem, type CodedError } from "./Problem";

/** The three faces of a read: on its way, refused, there. A stale answer stays visible under a refused refresh. */
export function Answered<Data>({
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
