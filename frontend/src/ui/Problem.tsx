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

/** Params that are null where the server does not know a value, and the sentence that does without it. */
const CONTEXTS = [
  ["needed", "unsized"],
  ["twin", "unseen"],
  ["found", "unrecognised"],
] as const;

export function errorText(t: TFunction, error: CodedError): string {
  // The server does not always know how many bytes it needs; then another sentence names none.
  // A picture that the reader may not see is not named either.
  // A file whose bytes belong to no known type may be named like a picture.
  const context = CONTEXTS.find(([param]) => error.params?.[param] === null)?.[1];
  const track = error.params?.track;
  const params: Record<string, unknown> = { ...error.params };
  if (typeof track === "string") params.track = t(`ui:track.${track}`, { defaultValue: track });
  if (error.code === "action_not_allowed") params.state = stateName(t, params);
  return t([`errors:${error.code}`, "errors:unknown"], { ...params, context, code: error.code, detail: error.detail ?? "" });
}

/** Things with states; where an action does not begin with the thing's name, the first that knows the state counts. */
const WITH_STATES = ["item", "package", "image", "release", "run"];

function stateName(t: TFunction, { action, state }: Readonly<Record<string, unknown>>): string {
  const [of = ""] = String(action).split("_");
  return t([of, ...WITH_STATES].map((thing) => `ui:${thing}State.${String(state)}`), { defaultValue: String(state) });
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
