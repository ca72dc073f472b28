/** A paused dialogue: it continues once both are back. */
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useWrite } from "@/api/queries";
import type { Dialogue } from "@/api/types";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Notice } from "@/ui/Notice";
import { Time } from "@/ui/Time";
import { UnsentNote } from "./UnsentNote";

/** Milliseconds between two signs that one is still back: well within the shortest time that a protocol allows, a minute. */
const STILL_MS = 20_000;

interface Return {
  resume: (() => void) | null;
  isBusy: boolean;
  error: ApiError | null;
}

/** Coming back to a paused dialogue; repeated while the page is open, since waiting ends after some minutes. */
export function useReturn({ id, state, is_ready: isReady, available_actions: actions }: Dialogue): Return {
  const write = useWrite("dialogue_resume");
  const resume = () => {
    if (!write.isPending) write.mutate({ path: { id }, body: {} });
  };
  const still = useEffectEvent(resume);
  const waits = state === "paused" && isReady;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => still(), STILL_MS);
    return () => clearInterval(timer);
  }, [waits]);
  return {
    resume: state === "paused" && actions.includes("dialogue_resume") && !isReady ? resume : null,
    isBusy: write.isPending,
    error: state === "paused" ? write.error : null,
  };
}

export function Paused({ dialogue, back, unsent }: { dialogue: Dialogue; back: Return; unsent: string }) {
  const { t } = useTranslation("dialogues");
  const { is_ready: isReady, partner_is_ready: partnerIsReady, paused_at: at } = dialogue;
  return (
    <>
      <Notice
        tone={partnerIsReady && !isReady ? "good" : "plain"}
        action={
          !isReady && (
            <Button look="primary" keys="Alt+r" busy={back.isBusy} onClick={() => back.resume?.()} data-testid="resume">
              {t("chat.resume")}
            </Button>
          )
        }
      >
        <span data-testid="paused">
          {at !== null && <Time at={at} sentence={(time) => t("paused.since", { time })} />}
          <Gap />
          {t(isReady ? "paused.waits" : partnerIsReady ? "paused.partnerIsBack" : "paused.both", { count: dialogue.away_minutes })}
        </span>
      </Notice>
      <UnsentNote text={unsent} />
    </>
  );
}
