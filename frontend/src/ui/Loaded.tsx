import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Loading } from "./Loading";
import { Notice } from "./Notice";
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
  if (of.error?.code === "not_found") return <NotHere />;
  return of.error ? <Problem error={of.error} onRetry={() => void of.refetch()} /> : <Loading />;
}

/** What does not exist is not there the next time either, and a read changes nothing. */
function NotHere() {
  const { t } = useTranslation("ui");
  return (
    <Notice tone="warn">
      <span data-testid="problem" data-code="not_found">
        {t("notFound.text")}
      </span>
    </Notice>
  );
}
