import { useTranslation } from "react-i18next";
import { Chip } from "./Chip";

/** One decision of the audit trail in words, with the states it led between. */
export function AuditLine({ event }: { event: { action: string; target_type: string; state_from: string | null; state_to: string | null } }) {
  const { t } = useTranslation("ui");
  const state = (code: string) => t([`${event.target_type}State.${code}`, `anyState.${code}`, code]);
  const { state_from: from, state_to: to } = event;
  return (
    <span>
      {t([`operation.${event.action}`, event.action])}
      {to !== null && to !== "" && (
        <>
          {" "}
          <span className="dim">
            {from !== null && from !== "" && from !== to && <>{state(from)} → </>}
            <Chip>{state(to)}</Chip>
          </span>
        </>
      )}
    </span>
  );
}
