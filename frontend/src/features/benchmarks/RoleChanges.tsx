/** What a protocol version changes about who may do what. */
import { useTranslation } from "react-i18next";
import { reasonsIn, useBenchmark, useSlug } from "@/api/benchmark";
import type { RoleChange } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { FactRow } from "./facts";
import { useCapabilityText } from "./useCapabilityText";

/** In place of a role's code: the leads of teams, who gain roles with which they may invite people. */
const LEADS = ".leads";

/** `under` is the level of the heading above the list. */
export function RoleChanges({ changes, under }: { changes: readonly RoleChange[]; under: 1 | 2 }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const capabilityText = useCapabilityText();
  const current = useBenchmark(useSlug()).data;
  const roles = reasonsIn(current?.protocol.content ?? {}, "roles");
  const Heading = under === 1 ? "h2" : "h3";
  const textOf = (role: string, right: string) => {
    if (role !== LEADS) return capabilityText(right);
    const invited = roles.find((one) => one.code === right);
    return t("roleChanges.invite", { role: invited ? name(invited.name) : right });
  };
  if (changes.length === 0) return null;
  return (
    <section className="card" data-testid="role-changes">
      <Heading>{t("roleChanges.title")}</Heading>
      <dl className="facts">
        {changes.map((change) => (
          <FactRow
            key={change.role}
            term={change.role === LEADS ? t("protocol.people.leads") : name(change.name)}
            value={
              <ul className="chips" data-testid={`role-change-${change.role}`}>
                {change.gained.map((right) => (
                  <li key={right}>
                    <Chip tone="warn" title={right}>
                      {t("roleChanges.gains", { right: textOf(change.role, right) })}
                    </Chip>
                  </li>
                ))}
                {change.lost.map((right) => (
                  <li key={right}>
                    <Chip title={right}>{t("roleChanges.loses", { right: textOf(change.role, right) })}</Chip>
                  </li>
                ))}
              </ul>
            }
          />
        ))}
      </dl>
    </section>
  );
}
