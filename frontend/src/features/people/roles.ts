/** What this benchmark's protocol calls its roles, and what each may do. */
import { useTranslation } from "react-i18next";
import { inProtocol, reasonsIn } from "@/api/benchmark";
import type { Benchmark, Localised } from "@/api/types";

interface ProtocolRole {
  code: string;
  name: Localised;
  /** "annotate:captions": a capability, and the kind of work it is narrowed to. */
  capabilities: readonly string[];
}

/** The roles an administrator may give, in the protocol's order; the server checks them against its own list. */
export function rolesOf(benchmark: Benchmark | undefined): ProtocolRole[] {
  return reasonsIn(benchmark?.protocol.content, "roles").map((role) => {
    const { capabilities } = role as { capabilities?: unknown };
    return { code: role.code, name: role.name, capabilities: Array.isArray(capabilities) ? capabilities.filter((one): one is string => typeof one === "string") : [] };
  });
}

/** How many may be in a team, and what they become by joining one; null where the protocol has no teams. */
export function teamRule(benchmark: Benchmark | undefined): { maximum: number | null; roles: readonly string[] } | null {
  const rule = inProtocol(benchmark?.protocol.content, "teams");
  if (typeof rule !== "object" || rule === null) return null;
  const { size_maximum: maximum, roles } = rule as { size_maximum?: unknown; roles?: unknown };
  return {
    maximum: typeof maximum === "number" ? maximum : null,
    roles: Array.isArray(roles) ? roles.filter((one): one is string => typeof one === "string") : [],
  };
}

/** Capabilities with operations of their own; a protocol may also name planned ones. */
const AVAILABLE = new Set(["administer", "collect", "inspect_images", "annotate", "verify", "review", "inspect"]);

/** "annotates captions, reviews" */
export function useCapabilities(): (role: ProtocolRole) => string {
  const { t } = useTranslation("people");
  return (role) =>
    role.capabilities
      .map((capability) => {
        const [what = "", kind] = capability.split(":");
        const label = t([`capability.${what}`, what]);
        const words = kind === undefined ? label : t("capabilityOf", { what: label, kind: t([`ui:kind.${kind}`, kind]) });
        return AVAILABLE.has(what) ? words : t("capabilityPlanned", { what: words });
      })
      .join(t("between"));
}
