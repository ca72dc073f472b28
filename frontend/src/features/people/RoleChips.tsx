import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRoleName } from "@/api/benchmark";
import { useWrite } from "@/api/queries";
import type { Benchmark, GrantRow } from "@/api/types";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Problem } from "@/ui/Problem";
import styles from "./people.module.css";

/** Roles someone holds; where it is allowed each can be ended, asked once more in the chip's own place. */
export function RoleChips({ grants, benchmark, mayEnd }: { grants: readonly GrantRow[]; benchmark: Benchmark | undefined; mayEnd: boolean }) {
  const roleName = useRoleName(benchmark);
  return grants.map((grant) => {
    const text = grant.team === null ? roleName(grant.role) : `${roleName(grant.role)} · ${grant.team.name}`;
    return mayEnd && grant.role !== "owner" ? <EndableRole key={grant.id} grant={grant} text={text} /> : <Chip key={grant.id}>{text}</Chip>;
  });
}

function EndableRole({ grant, text }: { grant: GrantRow; text: string }) {
  const { t } = useTranslation("people");
  const end = useWrite("role_end");
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <span className={`chip ${styles.chipRole}`}>
        {text}
        <button type="button" aria-label={t("end.open", { role: text })} title={t("end.open", { role: text })} onClick={() => setAsking(true)} data-testid={`end-${grant.id}`}>
          <span aria-hidden="true">✕</span>
        </button>
      </span>
    );
  }
  return (
    <span className={styles.endRole} role="group" aria-label={t("end.open", { role: text })}>
      <span>{t("end.ask", { role: text })}</span>
      <Button
        small
        look="danger"
        autoFocus
        busy={end.isPending}
        onClick={() => end.mutate({ path: { id: grant.id } })}
        data-testid={`end-${grant.id}-confirm`}
      >
        {t("end.confirm")}
      </Button>
      <Button small onClick={() => setAsking(false)}>
        {t("ui:cancel")}
      </Button>
      {end.error && <Problem error={end.error} />}
    </span>
  );
}
