/** What this benchmark's protocol calls its roles. */
import { useTranslation } from "react-i18next";
import { reasonsIn } from "@/api/benchmark";
import type { Benchmark, Reason } from "@/api/types";
import { useLocalised } from "@/i18n/localised";

/** The roles an administrator may give, in the protocol's order. */
export function rolesOf(benchmark: Benchmark | undefined): Reason[] {
  return reasonsIn(benchmark?.protocol.content, "roles");
}

export function useRoleName(benchmark: Benchmark | undefined): (role: string) => string {
  const { t } = useTranslation("ui");
  const name = useLocalised();
  return (role) => {
    const named = rolesOf(benchmark).find((one) => one.code === role);
    return named ? name(named.name) : t([`role.${role}`, role]);
  };
}
