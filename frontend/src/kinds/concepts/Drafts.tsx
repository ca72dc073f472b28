/** Questions that a model drafted from a picture's concepts: each is used for the open item, or discarded with a reason. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import { useRead, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import { Button } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { useActions } from "@/ui/keys";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { candidateActions, candidatePanelActions } from "./actions";
import type { Side } from "./ConceptForm";
import { DISCARD_REASONS, type Candidate } from "./drafts";
import styles from "./concepts.module.css";

type Listed = Answer<"drafting_list">;
type Drafting = Listed["draftings"][number];

export interface DraftsProps {
  drafts: PictureDrafts;
  itemId: number;
  sides: readonly Side[];
  /** Whether something is written that a candidate would replace. */
  isWritten: boolean;
  onUse: (candidate: Candidate) => void;
}

const isOpen = ({ state }: Drafting) => state === "queued" || state === "running";

export interface PictureDrafts {
  data: Listed | undefined;
  error: ApiError | null;
  refetch: () => unknown;
}

/** The drafts of a picture. While some are under way only these are fetched again: texts of candidates are long. */
export function useDrafts(imageId: number, enabled: boolean): PictureDrafts {
  const path = { id: imageId };
  const { data, error, refetch, dataUpdatedAt } = useRead("drafting_list", { path }, { enabled });
  const waiting = (data?.draftings ?? []).filter(isOpen);
  const poll = useRead("drafting_list", { path, query: { open_only: true } }, { enabled: enabled && waiting.length > 0, refetchInterval: 2_000 });
  const polled = poll.data && poll.dataUpdatedAt >= dataUpdatedAt ? poll.data : undefined;
  const open = new Map(polled?.draftings.filter(isOpen).map((drafting) => [drafting.id, drafting]));
  const hasEnded = polled !== undefined && waiting.some(({ id }) => !open.has(id));
  useEffect(() => {
    if (hasEnded) void refetch({ cancelRefetch: false });
  }, [hasEnded, poll.dataUpdatedAt, refetch]);
  return {
    data: data && {
      ...data,
      draftings: data.draftings.map((drafting) => open.get(drafting.id) ?? drafting),
      worker_alive: (polled ?? data).worker_alive,
    },
    error: error ?? poll.error,
    refetch,
  };
}

export function Drafts({ drafts, itemId, sides, isWritten, onUse }: DraftsProps) {
  const list = useRef<HTMLOListElement>(null);
  /** Whether the button with the focus goes away with the next candidate that is decided. */
  const hasDiscarded = useRef(false);
  const open = (drafts.data?.draftings ?? []).flatMap(({ id, candidates }) => candidates.filter(({ fate }) => fate === null).map(({ no }) => `${id}-${no}`));
  useEffect(() => {
    if (hasDiscarded.current) list.current?.querySelector<HTMLElement>("[data-testid=candidate] button")?.focus();
    hasDiscarded.current = false;
  }, [open.length]);
  if (drafts.error) return <Problem error={drafts.error} onRetry={() => void drafts.refetch()} />;
  if (!drafts.data || drafts.data.draftings.length === 0) return null;
  const { draftings, worker_alive: isAlive, available_actions: actions } = drafts.data;
  return (
    <ol className={styles.drafts} ref={list} data-testid="drafts">
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
              isFirst={open[0] === `${drafting.id}-${candidate.no}`}
              onDiscard={() => {
                hasDiscarded.current = true;
              }}
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
  /** Whether it is the first that is not decided, which the keys are for. */
  isFirst: boolean;
  onDiscard: () => void;
}

const NO_KEYS: typeof candidateActions = [];
const NO_PANEL_KEYS: typeof candidatePanelActions = [];

function CandidateCard({ draftingId, candidate, itemId, sides, actions, isWritten, isFirst, onDiscard, onUse }: CandidateCardProps) {
  const { t } = useTranslation("kinds");
  const use = useWrite("candidate_use");
  const discard = useWrite("candidate_discard");
  const [panel, setPanel] = useState<"replace" | "reason" | null>(null);
  const { no, fate, reason } = candidate;
  const isOfItem = fate === "used" && candidate.item_id === itemId;
  const error = use.error ?? discard.error;
  const path = { id: draftingId };

  function insert() {
    setPanel(null);
    if (isOfItem) onUse(candidate);
    else use.mutate({ path, body: { no, item: itemId } }, { onSuccess: () => onUse(candidate) });
  }
  const article = useRef<HTMLElement>(null);
  const start = () => (isWritten ? setPanel("replace") : insert());
  function cancel() {
    setPanel(null);
    article.current?.focus();
  }
  function discardFor(one: (typeof DISCARD_REASONS)[number]) {
    setPanel(null);
    onDiscard();
    discard.mutate({ path, body: { no, reason: one } });
  }
  const isFree = fate === null && panel === null && !use.isPending && !discard.isPending;
  const mayUse = actions.includes("candidate_use");
  const mayDiscard = actions.includes("candidate_discard");
  useActions(isFirst ? candidateActions : NO_KEYS, {
    use: isFree && mayUse ? start : null,
    discard: isFree && mayDiscard ? () => setPanel("reason") : null,
  });
  useActions(
    panel === null ? NO_PANEL_KEYS : candidatePanelActions,
    { choose: panel === "reason" ? (index) => discardFor(DISCARD_REASONS[index] ?? "repeated") : null, cancel },
    { exclusive: panel !== null },
  );
  const replacing = (
    <div role="group" aria-label={t("concepts.drafts.useSure")} className="row-actions">
      <span>{t("concepts.drafts.useSure")}</span>
      <Button small look="primary" autoFocus onClick={insert} data-testid="candidate-replace">
        {t("concepts.drafts.replace")}
      </Button>
      <Button small keys="Escape" onClick={cancel}>
        {t("ui:cancel")}
      </Button>
    </div>
  );
  if (fate !== null) {
    // Decided ones stay short, so that the fields are not far below.
    return (
      <div className={styles.candidateDecided}>
        <p className="tiny" data-testid="candidate-fate">
          {fate === "used"
            ? t("concepts.drafts.used", { item: candidate.item })
            : t("concepts.drafts.discarded", { reason: t(`concepts.drafts.discardReason.${reason ?? "repeated"}`) })}
          {" · "}
          <bdi lang={sides[0]?.lang}>{candidate.content.question.local}</bdi>
        </p>
        {isOfItem && panel === null && (
          // An answer may be lost, and texts that were put in may be deleted: they can be put in again.
          <Button small look="plain" onClick={start} data-testid="candidate-again">
            {t("concepts.drafts.again")}
          </Button>
        )}
        {isOfItem && panel === "replace" && replacing}
      </div>
    );
  }
  return (
    <article className={styles.candidate} ref={article} tabIndex={-1} data-testid="candidate">
      <Texts candidate={candidate} sides={sides} />
      {error && <Problem error={error} />}
      {panel === null && (
        <div className="row-actions">
          {mayUse && (
            <Button small keys={isFirst ? "Alt+u" : undefined} busy={use.isPending} onClick={start} data-testid="candidate-use">
              {t("concepts.drafts.use")}
            </Button>
          )}
          {mayDiscard && (
            <Button
              small
              look="plain"
              keys={isFirst ? "Alt+x" : undefined}
              busy={discard.isPending}
              onClick={() => setPanel("reason")}
              data-testid="candidate-discard"
            >
              {t("concepts.drafts.discard")}
            </Button>
          )}
        </div>
      )}
      {panel === "replace" && replacing}
      {panel === "reason" && (
        <div role="group" aria-label={t("concepts.drafts.reason")} className={styles.candidateReasons}>
          <span>{t("concepts.drafts.reason")}</span>
          {DISCARD_REASONS.map((one, index) => (
            <Button
              key={one}
              small
              keys={String(index + 1)}
              autoFocus={index === 0}
              onClick={() => discardFor(one)}
              data-testid={`discard-${one}`}
            >
              {t(`concepts.drafts.discardReason.${one}`)}
            </Button>
          ))}
          <Button small look="plain" keys="Escape" onClick={cancel}>
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
