/** Above the chat: the caption, the round, whether the partner is there, and ways to pause or leave. */
import { useTranslation } from "react-i18next";
import type { Dialogue } from "@/api/types";
import { Button } from "@/ui/Button";
import { Meter } from "@/ui/Meter";
import { isOver, minutesAway, roundOf } from "../talk";
import styles from "./chat.module.css";

interface ChatHeadProps {
  dialogue: Dialogue;
  pause: (() => void) | null;
  leave: (() => void) | null;
  /** Null where there is no picture. */
  picture: { isShown: boolean; toggle: () => void } | null;
}

export function ChatHead({ dialogue, pause, leave, picture }: ChatHeadProps) {
  const { t } = useTranslation("dialogues");
  const { caption, language, rounds, turn_no: turnNo, part } = dialogue;
  const round = Math.min(roundOf(turnNo + 1), rounds);
  return (
    <header className={styles.head}>
      <div className={styles.caption}>
        <span className="tiny">{t(`captionFor.${part}`)}</span>
        <p lang={language.lang} dir={language.dir} data-testid="caption">
          {caption}
        </p>
      </div>
      <div className={styles.facts}>
        <span className="number" data-testid="round">
          {t("round", { round, rounds })}
        </span>
        <Meter value={turnNo} of={2 * rounds} label={t("progress")} />
        {!isOver(dialogue) && <Partner dialogue={dialogue} />}
        <span className={styles.buttons}>
          {picture !== null && (
            <Button small className={styles.pictureToggle} aria-pressed={picture.isShown} onClick={picture.toggle} data-testid="toggle-picture">
              {t(picture.isShown ? "hidePicture" : "showPicture")}
            </Button>
          )}
          {pause && (
            <Button small keys="Alt+p" onClick={pause} title={t("chat.pausesLeft", { count: dialogue.pauses_left })} data-testid="pause">
              {t("chat.pause")}
            </Button>
          )}
          {leave && (
            <Button small look="plain" onClick={leave} data-testid="leave">
              {t("chat.leave")}
            </Button>
          )}
        </span>
      </div>
    </header>
  );
}

function Partner({ dialogue }: { dialogue: Dialogue }) {
  const { t } = useTranslation("dialogues");
  const minutes = minutesAway(dialogue);
  return (
    <span className="tiny" data-testid="partner" data-away={minutes > 0 || undefined}>
      {minutes > 0 ? t("partner.away", { count: minutes }) : t("partner.here")}
    </span>
  );
}
