/** What adopting a checked text would change, and what prevents it. */
import { useTranslation } from "react-i18next";
import type { ProtocolEffect } from "@/api/types";
import { Button, ButtonLink } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { ChangeList } from "./ChangeList";
import type { EffectState } from "./changes";
import { RoleChanges } from "./RoleChanges";

interface Props {
  slug: string;
  /** The version that the text was written on. */
  base: number;
  effect: ProtocolEffect;
  state: EffectState;
  /** Continues on the version that was adopted meanwhile. */
  onContinue: () => void;
}

export function AdoptEffect({ slug, base, effect, state, onContinue }: Props) {
  const { t } = useTranslation("benchmarks");
  return (
    <>
      <h2>{t("adopt.effect", { count: effect.changes.length, version: effect.base_version })}</h2>
      {state === "same" && <p className="dim">{t("adopt.same")}</p>}
      {state === "stale" && (
        <Notice
          tone="warn"
          action={
            <span className="row-actions">
              <ButtonLink small to={`/b/${slug}/protocol/compare?version=${String(effect.base_version)}&with=${String(base)}`}>
                {t("adopt.seeOther", { version: effect.base_version })}
              </ButtonLink>
              <Button small onClick={onContinue} data-testid="continue">
                {t("adopt.continue", { version: effect.base_version })}
              </Button>
            </span>
          }
        >
          {t("adopt.stale", { version: effect.base_version, base })}
        </Notice>
      )}
      {state === "locked" && <Notice tone="bad">{t("adopt.locked")}</Notice>}
      {effect.needs_second && <Notice tone="warn">{t("adopt.needsSecond")}</Notice>}
      {effect.asks_consent_again && <Notice tone="warn">{t("adopt.consentChanges")}</Notice>}
      {state !== "same" && (
        <>
          <RoleChanges changes={effect.role_changes} under={2} />
          <ChangeList changes={effect.changes} under={2} marksLocked />
        </>
      )}
    </>
  );
}
