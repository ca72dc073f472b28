/** Roles of a protocol that may write a kind: capability "annotate", or "annotate:" with the kind's name. */
export function annotatingRoles(roles: unknown, kind: string): ReadonlySet<string> {
  if (!Array.isArray(roles)) return new Set();
  return new Set(
    roles.flatMap((role: unknown) => {
      if (typeof role !== "object" || role === null || !("code" in role) || !("capabilities" in role)) return [];
      const { code, capabilities } = role;
      if (typeof code !== "string" || !Array.isArray(capabilities)) return [];
      return capabilities.includes("annotate") || capabilities.includes(`annotate:${kind}`) ? [code] : [];
    }),
  );
}
