/** What this benchmark's protocol calls its roles. */
import { useTranslation } from "react-i18next";
import { reasonsIn } from "@/api/benchmark";
import type { Request } from "@/api/operations";
import type { Benchmark, Localised } from "@/api/types";
import { useLocalised } from "@/i18n/localised";

export type GivenRole = Request<"person_create">["body"]["roles"][number];

/** The roles an administrator may give, in the protocol's order; the server checks them against its own list. */
export function rolesOf(benchmark: Benchmark | undefined): { code: GivenRole; name: Localised }[] {
  return reasonsIn(benchmark?.protocol.content, "roles") as { code: GivenRole; name: Localised }[];
}

export function useRoleName(benchmark: Benchmark | undefined): (role: string) => string {
  const { t } = useTranslation("ui");
  const name = useLocalised();
  return (role) => {
    const named = rolesOf(benchmark).find((one) => one.code === role);
    return named ? name(named.name) : t([`role.${role}`, role]);
  };
}
