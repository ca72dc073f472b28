/** Errors by code, in the reader's words: what happened, what is safe, what to do. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Button } from "./Button";
import { Notice } from "./Notice";

/** The part of an API error that a sentence is made from. */
export interface CodedError {
  code: string;
  params?: Readonly<Record<string, unknown>>;
  detail?: string;
}

export function errorText(t: TFunction, error: CodedError): string {
  // The server does not always know how many bytes it needs; then another sentence names none.
  const context = error.params?.needed === null ? "unsized" : undefined;
  const track = error.params?.track;
  const params = typeof track === "string" ? { ...error.params, track: t(`ui:track.${track}`, { defaultValue: track }) } : error.params;
  return t([`errors:${error.code}`, "errors:unknown"], { ...params, context, code: error.code, detail: error.detail ?? "" });
}

/** `const errorText = useErrorText(); errorText(error)` */
export function useErrorText(): (error: CodedError) => string {
  const { t } = useTranslation();
  return (error) => errorText(t, error);
}

export function Problem({ error, onRetry }: { error: CodedError; onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation("ui");
  return (
    <Notice
      tone="bad"
      action={
        onRetry && (
          <Button small onClick={onRetry}>
            {t("retry")}
          </Button>
        )
      }
    >
      <span data-testid="problem" data-code={error.code}>
        {errorText(t, error)}
      </span>
    </Notice>
  );
}
