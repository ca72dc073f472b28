/** The end of a dialogue: what became of it, and where to go from here. */
import { useTranslation } from "react-i18next";
import { useMay } from "@/api/session";
import type { Dialogue } from "@/api/types";
import { ButtonLink } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { UnsentNote } from "./UnsentNote";
import styles from "./chat.module.css";

/** The reasons that there is a sentence for. */
const KNOWN = ["no_time", "partner", "picture", "caption", "seen", "stale", "base_changed"] as const;

export function Over({ dialogue, slug, unsent }: { dialogue: Dialogue; slug: string; unsent: string }) {
  const { t } = useTranslation("dialogues");
  const may = useMay(slug);
  const { state, item, part, reason, rounds } = dialogue;
  const why = KNOWN.find((known) => known === reason) ?? "other";
  return (
    <div className={styles.over}>
      <Notice tone={state === "done" ? "good" : "plain"}>
        <span data-testid={`dialogue-${state}`}>
          {state === "done" ? t(`done.${part}`, { count: rounds }) : `${t("left")} ${t(`why.${why}`)}`}
        </span>
      </Notice>
      {state === "left" && <UnsentNote text={unsent} />}
      <div className="row-actions">
        <ButtonLink to={`/b/${slug}/write/dialogue`} look="primary" keys="Escape" data-testid="to-lobby">
          {t("chat.toLobby")}
        </ButtonLink>
        {item !== null && part === "answer" && may("item_show") && (
          <ButtonLink to={`/b/${slug}/items/${item.id}`} data-testid="to-item">
            {t("toItem", { label: item.label })}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
