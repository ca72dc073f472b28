/** Questions that a model drafted from a picture's concepts: each is used for the open item, or discarded with a reason. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRead, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import type { Side } from "./ConceptForm";
import { DISCARD_REASONS, type Candidate } from "./drafts";
import styles from "./concepts.module.css";

type Listed = Answer<"drafting_list">;
type Drafting = Listed["draftings"][number];

export interface DraftsProps {
  imageId: number;
  itemId: number;
  sides: readonly Side[];
  /** Whether something is written that a candidate would replace. */
  isWritten: boolean;
  onUse: (candidate: Candidate) => void;
}

const isOpen = ({ state }: Drafting) => state === "queued" || state === "running";

export function useDrafts(imageId: number, enabled: boolean) {
  return useRead(
    "drafting_list",
    { path: { id: imageId } },
    { enabled, refetchInterval: (answer) => ((answer as Listed | undefined)?.draftings.some(isOpen) === true ? 2_000 : false) },
  );
}

export function Drafts({ imageId, itemId, sides, isWritten, onUse }: DraftsProps) {
  const read = useDrafts(imageId, true);
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />;
  if (!read.data || read.data.draftings.length === 0) return null;
  const { draftings, worker_alive: isAlive, available_actions: actions } = read.data;
  return (
    <ol className={styles.drafts} data-testid="drafts">
      {draftings.map((drafting) => (
        <li key={drafting.id} data-testid="drafting" data-state={drafting.state}>
          <Outcome drafting={drafting} isAlive={isAlive} />
          {drafting.candidates.map((candidate) => (
            <CandidateCard
              key={candidate.no}
              draftingId={drafting.id}
              candidate={candidate}
              itemId={itemId}
              sides={sides}
              actions={actions}
              isWritten={isWritten}
              onUse={onUse}
            />
          ))}
        </li>
      ))}
    </ol>
  );
}

function Outcome({ drafting, isAlive }: { drafting: Drafting; isAlive: boolean }) {
  const { t } = useTranslation("kinds");
  const { limited_until: limited, error_code: code } = drafting;
  return (
    <div role="status">
      <p className="tiny">{t("concepts.drafts.about", { concept: drafting.concept })}</p>
      {isOpen(drafting) && limited === null && <p className="dim">{isAlive ? t("concepts.drafts.waiting") : t("concepts.drafts.noWorker")}</p>}
      {isOpen(drafting) && limited !== null && (
        <Notice tone="warn">
          <Time at={limited} sentence={(time) => t("concepts.drafts.limited", { time })} />
        </Notice>
      )}
      {drafting.state === "failed" && <Problem error={{ code: code ?? "internal_error", params: drafting.error_params }} />}
    </div>
  );
}

interface CandidateCardProps extends Pick<DraftsProps, "itemId" | "sides" | "isWritten" | "onUse"> {
  draftingId: number;
  candidate: Candidate;
  actions: readonly string[];
}

function CandidateCard({ draftingId, candidate, itemId, sides, actions, isWritten, onUse }: CandidateCardProps) {
  const { t } = useTranslation("kinds");
  const use = useWrite("candidate_use");
  const discard = useWrite("candidate_discard");
  const [asks, setAsks] = useState<"replace" | "reason" | null>(null);
  const { no, fate, reason } = candidate;
  const error = use.error ?? discard.error;
  const path = { id: draftingId };

  function take() {
    setAsks(null);
    use.mutate({ path, body: { no, item: itemId } }, { onSuccess: () => onUse(candidate) });
  }
  if (fate !== null) {
    // Decided ones stay short, so that the fields are not far below.
    return (
      <p className="tiny" data-testid="candidate-fate">
        {fate === "used"
          ? t("concepts.drafts.used", { item: candidate.item })
          : t("concepts.drafts.discarded", { reason: t(`concepts.drafts.discardReason.${reason ?? "repeated"}`) })}
        {" · "}
        <bdi lang={sides[0]?.lang}>{candidate.content.question.local}</bdi>
      </p>
    );
  }
  return (
    <article className={styles.candidate} data-testid="candidate">
      <Texts candidate={candidate} sides={sides} />
      {error && <Problem error={error} />}
      {asks === null && (
        <div className="row-actions">
          {actions.includes("candidate_use") && (
            <Button small busy={use.isPending} onClick={() => (isWritten ? setAsks("replace") : take())} data-testid="candidate-use">
              {t("concepts.drafts.use")}
            </Button>
          )}
          {actions.includes("candidate_discard") && (
            <Button small look="plain" busy={discard.isPending} onClick={() => setAsks("reason")} data-testid="candidate-discard">
              {t("concepts.drafts.discard")}
            </Button>
          )}
        </div>
      )}
      {asks === "replace" && (
        <div role="group" aria-label={t("concepts.drafts.useSure")} className="row-actions">
          <span>{t("concepts.drafts.useSure")}</span>
          <Button small look="primary" autoFocus onClick={take} data-testid="candidate-replace">
            {t("concepts.drafts.replace")}
          </Button>
          <Button small onClick={() => setAsks(null)}>
            {t("ui:cancel")}
          </Button>
        </div>
      )}
      {asks === "reason" && (
        <div role="group" aria-label={t("concepts.drafts.reason")} className={styles.candidateReasons}>
          <span>{t("concepts.drafts.reason")}</span>
          {DISCARD_REASONS.map((one, index) => (
            <Button
              key={one}
              small
              autoFocus={index === 0}
              onClick={() => {
                setAsks(null);
                discard.mutate({ path, body: { no, reason: one } });
              }}
              data-testid={`discard-${one}`}
            >
              {t(`concepts.drafts.discardReason.${one}`)}
            </Button>
          ))}
          <Button small look="plain" onClick={() => setAsks(null)}>
            {t("ui:cancel")}
          </Button>
        </div>
      )}
    </article>
  );
}

function Texts({ candidate, sides }: { candidate: Candidate; sides: readonly Side[] }) {
  const { t } = useTranslation("kinds");
  const { question, options, explanation } = candidate.content;
  return (
    <div className={styles.candidateSides}>
      {sides.map((side, index) => {
        const of = index === 0 ? "local" : "translated";
        return (
          <div key={of} lang={side.lang} dir={side.dir}>
            <p>{question[of]}</p>
            <ul>
              {options.map((option, place) => (
                <li key={place} data-right={place === 0 || undefined}>
                  {option[of]}
                  {place === 0 && <span className="visually-hidden">{t("concepts.drafts.right")}</span>}
                </li>
              ))}
            </ul>
            <p className="tiny">{explanation[of]}</p>
          </div>
        );
      })}
    </div>
  );
}
