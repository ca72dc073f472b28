/** The reader's dialogues that are not over, each with a link that leads back to it. */
import { useTranslation } from "react-i18next";
import type { Lobby } from "@/api/types";
import { ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Time } from "@/ui/Time";
import { roundOf } from "../talk";
import styles from "./lobby.module.css";

export function Unfinished({ dialogues, slug }: { dialogues: Lobby["dialogues"]; slug: string }) {
  const { t } = useTranslation("dialogues");
  if (dialogues.length === 0) return null;
  return (
    <section aria-labelledby="unfinished">
      <h2 id="unfinished">{t("lobby.unfinished")}</h2>
      <ul className={styles.unfinished} data-testid="unfinished">
        {dialogues.map(({ id, part, state, caption, turn_no: turnNo, rounds, paused_at: pausedAt }) => (
          <li key={id} data-testid={`dialogue-${id}`}>
            <div>
              <p className={styles.caption}>{caption}</p>
              <p className="tiny">
                <Chip tone={state === "open" ? "accent" : undefined}>{t(`state.${state}`)}</Chip> {t(`part.${part}`)}
                {" · "}
                {t("round", { round: Math.min(roundOf(turnNo + 1), rounds), rounds })}
                {pausedAt !== null && (
                  <>
                    {" · "}
                    <Time at={pausedAt} sentence={(time) => t("pausedSince", { time })} />
                  </>
                )}
              </p>
            </div>
            <ButtonLink to={`/b/${slug}/write/dialogue/${id}`} look={state === "open" ? "primary" : undefined} data-testid={`open-${id}`}>
              {t("lobby.continue")}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
