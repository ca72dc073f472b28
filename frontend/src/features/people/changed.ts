import type { OperationId } from "@/api/operations";

/** Answers that change with a role, a team or an account. */
export const PEOPLE_CHANGED: readonly OperationId[] = ["person_list", "person_show", "team_list", "audit_list"];
