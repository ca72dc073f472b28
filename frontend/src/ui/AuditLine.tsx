import { useTranslation } from "react-i18next";
import { Chip } from "./Chip";

export interface Decision {
  action: string;
  target_type: string;
  state_from: string | null;
  state_to: string | null;
  data?: Readonly<Record<string, unknown>> | undefined;
}

/** Codes of reasons and roles that an entry carries. */
function codesIn(data: Decision["data"]): string[] {
  return ["reasons", "reason", "roles", "role"].flatMap((key) => {
    const value = data?.[key];
    return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string" && one !== "");
  });
}

/** What a correction changed: the value before and the new one. */
function changesIn(data: Decision["data"]): { name: string; before: string; after: string }[] {
  const before = data?.before;
  if (typeof before !== "object" || before === null) return [];
  return Object.entries(before).map(([name, value]) => ({ name, before: String(value), after: String(data?.[name]) }));
}

/** What was done; of an action that a worker performs, the entry with its job says that it was started. */
function actionKeys({ action, data }: Decision): string[] {
  return [...(data?.job === undefined ? [] : [`started.${action}`]), `operation.${action}`, action];
}

/** One decision of the audit trail in words: what was done, how it was judged, between which states, and why. */
export function AuditLine({ event, reasonName }: { event: Decision; reasonName?: ((code: string) => string) | undefined }) {
  const { t } = useTranslation("ui");
  const state = (code: string) => t([`${event.target_type}State.${code}`, `anyState.${code}`, code]);
  const { state_from: from, state_to: to } = event;
  const outcome = event.data?.outcome;
  const codes = codesIn(event.data);
  const reason = (code: string) => {
    const name = reasonName?.(code) ?? code;
    // Reasons of drafts are the application's own and in no protocol.
    return name === code && event.action === "candidate_discard" ? t([`kinds:concepts.drafts.discardReason.${code}`, code]) : name;
  };
  return (
    <span>
      {t(actionKeys(event))}
      {typeof outcome === "string" && outcome !== "" && <>{t("judgedAs", { outcome: t([`outcome.${outcome}`, outcome]) })}</>}
      {to !== null && to !== "" && (
        <>
          {" "}
          <span className="dim">
            {from !== null && from !== "" && from !== to && <>{state(from)} → </>}
            <Chip>{state(to)}</Chip>
          </span>
        </>
      )}
      {changesIn(event.data).map(({ name, before, after }) => (
        <span className="dim" key={name}>
          {" "}
          {before !== "" && <>{reasonName?.(before) ?? before} → </>}
          <Chip>{reasonName?.(after) ?? after}</Chip>
        </span>
      ))}
      {codes.length > 0 && (
        <span className="audit-why">
          {" "}
          {codes.map((code) => (
            <Chip key={code} tone="accent">
              {reason(code)}
            </Chip>
          ))}
        </span>
      )}
    </span>
  );
}
