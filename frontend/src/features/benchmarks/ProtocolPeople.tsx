/** The roles of a protocol with their capabilities, and its teams. */
import { useTranslation } from "react-i18next";
import { inProtocol, reasonsIn } from "@/api/benchmark";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { FactRow, Later } from "./facts";
import { isWaiting } from "./planned";
import { useCapabilityText } from "./useCapabilityText";

export function ProtocolPeople({ content, planned }: { content: Record<string, unknown>; planned: readonly string[] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const roles = reasonsIn(content, "roles");
  const teams = inProtocol(content, "teams");
  const most = inProtocol(teams, "size_maximum");
  const people = inProtocol(content, "people");
  const capabilityText = useCapabilityText();
  return (
    <section className="card">
      <h2>{t("protocol.people.title")}</h2>
      <dl className="facts">
        {roles.map((role) => (
          <FactRow
            key={role.code}
            term={name(role.name)}
            value={
              <ul className="chips">
                {((role as { capabilities?: string[] }).capabilities ?? []).map((capability) => (
                  <li key={capability}>
                    <Chip tone={isWaiting(planned, capability) ? "warn" : undefined} title={capability}>
                      {capabilityText(capability)}
                    </Chip>
                  </li>
                ))}
              </ul>
            }
          />
        ))}
        {typeof most === "number" && <FactRow term={t("protocol.people.teams")} value={t("protocol.people.teamOf", { count: most })} />}
        {typeof most === "number" && (
          <FactRow term={t("protocol.people.lead")} value={inProtocol(teams, "lead_may_invite") === true ? t("protocol.yes") : t("protocol.no")} />
        )}
      </dl>
      {planned.some((path) => path.startsWith("capabilities.")) && <p className="tiny">{t("protocol.people.waiting")}</p>}
      {people !== undefined && people !== null && <Later of={people} title={t("protocol.people.numbers")} />}
    </section>
  );
}
