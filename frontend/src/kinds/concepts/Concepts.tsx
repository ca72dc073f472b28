/** The cultural concepts of a picture, which a question must not name: their names, and what takes their place. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRead, useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { Problem } from "@/ui/Problem";
import { ConceptForm, type Side } from "./ConceptForm";
import { Drafts, useDrafts, type DraftsProps } from "./Drafts";
import styles from "./concepts.module.css";

interface ConceptsProps {
  imageId: number;
  /** The languages of texts about the picture, that in which people write first. */
  sides: readonly Side[];
  /** Puts generic nouns in the place of concepts; null where there is nothing to replace. */
  onReplace: (() => void) | null;
  /** Present where a model drafts questions. */
  drafting: Pick<DraftsProps, "itemId" | "isWritten" | "onUse"> | null;
  /** Whether it is a card of a page, with a heading of its own. */
  isCard?: boolean;
  /** After a concept was added or retired. */
  onChanged: () => void;
}

export function Concepts({ imageId, sides, onReplace, drafting, isCard = false, onChanged }: ConceptsProps) {
  const { t } = useTranslation("kinds");
  const read = useRead("concept_list", { path: { id: imageId } });
  const retire = useWrite("concept_retire");
  const drafts = useDrafts(imageId, drafting !== null);
  const request = useWrite("drafting_request");
  const [isAdding, setAdding] = useState(false);
  /** After the form the focus is on the button that opened it. */
  const [hasAdded, setAdded] = useState(false);
  const { concepts = [], available_actions: actions = [] } = read.data ?? {};
  const error = read.error ?? retire.error ?? request.error;
  const mayDraft = drafts.data?.available_actions.includes("drafting_request") === true;
  function close() {
    setAdding(false);
    setAdded(true);
  }
  return (
    <section className={styles.concepts} aria-label={t("concepts.title")} data-testid="concepts">
      <div className={styles.conceptsHead}>
        {isCard ? <h2>{t("concepts.title")}</h2> : <span className={styles.conceptsTitle}>{t("concepts.title")}</span>}
        {onReplace && (
          <Button small keys="Alt+r" onClick={onReplace} data-testid="concepts-replace">
            {t("concepts.replace")}
          </Button>
        )}
        {actions.includes("concept_add") && !isAdding && (
          <Button small look="plain" autoFocus={hasAdded} onClick={() => setAdding(true)} data-testid="concept-open">
            {t("concepts.add")}
          </Button>
        )}
      </div>
      {error && <Problem error={error} onRetry={read.error ? () => void read.refetch() : undefined} />}
      {read.data && concepts.length === 0 && !isAdding && <p className="tiny">{t("concepts.none")}</p>}
      {concepts.length > 0 && (
        <ul className={styles.conceptsList}>
          {concepts.map((concept) => (
            <li key={concept.id} data-testid="concept">
              <span>
                <bdi lang={sides[0]?.lang}>{concept.local}</bdi>
                {[concept.translated, ...concept.aliases].filter(Boolean).map((name) => (
                  <span key={name} className={styles.conceptsOther}>
                    {" · "}
                    <bdi>{name}</bdi>
                  </span>
                ))}
              </span>
              {concept.explanation !== "" && <p className="tiny">{concept.explanation}</p>}
              {mayDraft && (
                <Button
                  small
                  busy={request.isPending}
                  onClick={() => request.mutate({ path: { id: imageId }, body: { concept: concept.id } })}
                  data-testid="concept-draft"
                >
                  {t("concepts.drafts.draft")}
                </Button>
              )}
              {concept.available_actions.includes("concept_retire") && (
                <Button
                  small
                  look="plain"
                  busy={retire.isPending}
                  aria-label={t("concepts.retireOne", { name: concept.local })}
                  onClick={() => retire.mutate({ path: { id: concept.id } }, { onSuccess: onChanged })}
                  data-testid="concept-retire"
                >
                  {t("concepts.retire")}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <ConceptForm
          imageId={imageId}
          sides={sides}
          onAdded={() => {
            close();
            onChanged();
          }}
          onClose={close}
        />
      )}
      {drafting && <Drafts drafts={drafts} sides={sides} {...drafting} />}
    </section>
  );
}
