/** Senior review: every item is accepted, corrected in place or sent back; then the sample is drawn. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { call, newClientKey } from "@/api/client";
import { toApiError, type ApiError } from "@/api/errors";
import { queryKey, useRead, useWrite } from "@/api/queries";
import type { Package, SheetItem, WorkRules } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { FullPicture } from "@/kinds/FullPicture";
import type { Content } from "@/kinds/kind";
import { contentLanguage } from "@/kinds/language";
import { kindView } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem, useErrorText } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { reviewActions } from "./actions";
import { CorrectForm } from "./CorrectForm";
import type { Held } from "./heldVerdicts";
import { History } from "./History";
import { ReasonForm } from "./ReasonForm";
import { SheetCard } from "./SheetCard";
import { useHeldVerdicts } from "./useHeldVerdicts";
import "./quality.css";

type Sheet = Package & { rules: WorkRules; items: SheetItem[] };

interface ReviewVerdict {
  outcome: "accept" | "return";
  revisionNo: number;
  reasons: string[];
  comment: string;
}

export function ReviewPage() {
  const id = Number(useParams().packageId);
  const sheet = useRead("package_sheet", { path: { id } }, { fresh: true });
  return <Answered of={sheet}>{(data) => <Review key={id} sheet={data} />}</Answered>;
}

/** The verdict that stands for the item's newest revision, given or still held. */
function decisionOf(item: SheetItem, held: Held<ReviewVerdict> | undefined): string | null {
  if (held) return held.verdict.outcome;
  return item.review?.outcome ?? null;
}

function Review({ sheet }: { sheet: Sheet }) {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const view = kindView(sheet.kind);
  const lang = contentLanguage(useBenchmark(slug).data);
  const key = queryKey("package_sheet", { path: { id: sheet.id } });
  const [form, setForm] = useState<{ item: number; name: "return" | "correct" | "history" } | null>(null);
  const [looking, setLooking] = useState(false);
  const [correctError, setCorrectError] = useState<ApiError | null>(null);
  const [correcting, setCorrecting] = useState(false);
  const [completeKey, setCompleteKey] = useState(newClientKey);
  const complete = useWrite("package_review_complete", [
    "package_show",
    "package_list",
    "waiting_show",
    "package_sheet",
  ]);

  const put = (changed: SheetItem) =>
    queries.setQueryData<Sheet>(key, (old) =>
      old ? { ...old, items: old.items.map((item) => (item.id === changed.id ? changed : item)) } : old,
    );
  const { held, list } = useHeldVerdicts<ReviewVerdict>(async ({ itemId, verdict, key: clientKey }) => {
    put(
      await call(
        "item_review",
        {
          path: { id: itemId },
          body: {
            outcome: verdict.outcome,
            revision_no: verdict.revisionNo,
            reasons: verdict.reasons,
            comment: verdict.comment,
            client_key: clientKey,
          },
        },
        { keepalive: true },
      ),
    );
  });
  const heldOf = (item: SheetItem) => list.find((one) => one.itemId === item.id);
  const isOpen = (item: SheetItem) => decisionOf(item, heldOf(item)) === null;

  const [at, setAt] = useState(() =>
    Math.max(
      0,
      sheet.items.findIndex((item) => item.review === null),
    ),
  );
  const current = sheet.items[at];
  const mayReview = sheet.available_actions.includes("item_review");
  const mayJudge = mayReview && current !== undefined && (isOpen(current) || heldOf(current) !== undefined);
  const decided = sheet.items.filter((item) => !isOpen(item)).length;

  function goOn(from: SheetItem) {
    const here = sheet.items.findIndex((item) => item.id === from.id);
    const after = sheet.items.findIndex((item, index) => index > here && isOpen(item));
    setAt(after === -1 ? Math.min(here + 1, sheet.items.length - 1) : after);
  }
  function judge(item: SheetItem, verdict: Omit<ReviewVerdict, "revisionNo">) {
    held.hold(item.id, { ...verdict, revisionNo: item.revision_no });
    setForm(null);
    goOn(item);
  }
  function undo() {
    const itemId = held.undo();
    const index = sheet.items.findIndex((item) => item.id === itemId);
    if (index !== -1) setAt(index);
  }
  async function correct(item: SheetItem, content: Content, overrides: Record<string, string>) {
    setCorrecting(true);
    setCorrectError(null);
    try {
      // A verdict still held for undo gives way to the correction; one on its way is answered first.
      await held.withdraw(item.id);
      put(
        await call("item_review", {
          path: { id: item.id },
          body: {
            outcome: "correct",
            revision_no: item.revision_no,
            reasons: [],
            comment: "",
            content,
            overrides,
            client_key: newClientKey(),
          },
        }),
      );
      setForm(null);
      toasts.show(t("corrected", { label: item.label }));
      goOn(item);
    } catch (error) {
      setCorrectError(toApiError(error));
    } finally {
      setCorrecting(false);
    }
  }
  async function finish() {
    if (!(await held.flush())) return;
    complete.mutate(
      { path: { id: sheet.id }, body: { revision: sheet.revision, client_key: completeKey } },
      {
        onSuccess: (pkg) => {
          toasts.show(t(pkg.state === "returned" ? "completed.returned" : "completed.drawn", { label: pkg.label }));
          void navigate(`/b/${slug}/packages/${pkg.id}`);
        },
        onError: () => setCompleteKey(newClientKey()),
      },
    );
  }
  const canComplete = sheet.available_actions.includes("package_review_complete") && decided === sheet.items.length;

  useActions(reviewActions, {
    mayJudge,
    canUndo: held.canUndo,
    accept: () => current && judge(current, { outcome: "accept", reasons: [], comment: "" }),
    correct: current ? () => setForm({ item: current.id, name: "correct" }) : null,
    refuse: () => current && setForm({ item: current.id, name: "return" }),
    move: (step) => setAt(Math.min(sheet.items.length - 1, Math.max(0, at + step))),
    moveRow: (step) => setAt(Math.min(sheet.items.length - 1, Math.max(0, at + step))),
    look: () => setLooking(true),
    undo,
    complete: canComplete ? () => void finish() : null,
    leave: () => void navigate(`/b/${slug}/packages/${sheet.id}`),
  });

  if (!view) return <Empty title={sheet.label}>{t("unknownKind")}</Empty>;
  return (
    <Page
      title={t("review.title", { label: sheet.label })}
      lead={t("review.lead", { name: sheet.assignee?.name ?? "" })}
    >
      <div className="judge-progress">
        <span className="number" data-testid="decided">
          {t("review.decided", { decided, size: sheet.items.length })}
        </span>
        <Meter value={decided} of={sheet.items.length} label={t("review.progress")} />
        <Button small keys="z" disabled={!held.canUndo} onClick={undo} data-testid="undo">
          {t("action.undo")}
        </Button>
        {sheet.available_actions.includes("package_review_complete") && (
          <Button
            small
            look="primary"
            keys="Mod+Enter"
            disabled={!canComplete}
            busy={complete.isPending}
            onClick={() => void finish()}
            data-testid="complete-review"
          >
            {t("action.review.complete")}
          </Button>
        )}
      </div>
      {!mayReview && <Notice>{t("review.onlyReading")}</Notice>}
      {complete.error && <Problem error={complete.error} />}
      <ol className="judge-sheet">
        {sheet.items.map((item, index) => (
          <SheetCard
            key={item.id}
            item={item}
            wide
            selected={index === at}
            onSelect={() => setAt(index)}
            onLook={() => {
              setAt(index);
              setLooking(true);
            }}
          >
            <CardHead item={item} held={heldOf(item)} rules={sheet.rules} lang={lang} />
            {form?.item === item.id && form.name === "correct" && item.content ? (
              <CorrectForm
                itemId={item.id}
                content={item.content}
                findings={item.findings}
                reasons={item.reasons}
                rules={sheet.rules}
                view={view}
                lang={lang}
                busy={correcting}
                error={correctError}
                onSave={(content, overrides) => void correct(item, content, overrides)}
                onCancel={() => {
                  setForm(null);
                  setCorrectError(null);
                }}
              />
            ) : (
              item.content && (
                <view.Reader content={item.content} lang={lang} findings={item.findings} reasons={item.reasons} />
              )
            )}
            {form?.item === item.id && form.name === "return" && (
              <ReasonForm
                title={t("review.why")}
                confirm={t("action.review.refuse")}
                reasons={sheet.rules.review_reasons}
                lang={lang}
                onConfirm={(reasons, comment) => judge(item, { outcome: "return", reasons, comment })}
                onCancel={() => setForm(null)}
              />
            )}
            {form?.item === item.id && form.name === "history" && (
              <History itemId={item.id} view={view} lang={lang} reasons={sheet.rules.review_reasons} />
            )}
            {form?.item !== item.id || form.name === "history" ? (
              <CardButtons
                item={item}
                canJudge={mayReview && (isOpen(item) || heldOf(item)?.state === "held")}
                decision={decisionOf(item, heldOf(item))}
                onAccept={() => {
                  setAt(index);
                  judge(item, { outcome: "accept", reasons: [], comment: "" });
                }}
                onForm={(name) => {
                  setAt(index);
                  setForm(form?.name === name && form.item === item.id ? null : { item: item.id, name });
                }}
              />
            ) : null}
          </SheetCard>
        ))}
      </ol>
      {looking && current && <FullPicture image={current.image} onClose={() => setLooking(false)} />}
    </Page>
  );
}

const TONES: Readonly<Record<string, Tone>> = { accept: "good", correct: "good", return: "warn" };

interface CardHeadProps {
  item: SheetItem;
  held: Held<ReviewVerdict> | undefined;
  rules: WorkRules;
  lang: string;
}

function CardHead({ item, held, rules, lang }: CardHeadProps) {
  const { t } = useTranslation("quality");
  const name = useLocalised();
  const say = useErrorText();
  const decision = decisionOf(item, held);
  const reasons = held?.verdict.reasons ?? item.review?.reasons ?? [];
  const comment = held?.verdict.comment ?? item.review?.comment ?? "";
  return (
    <div className="judge-head">
      <span className="tiny">
        {item.label} · {item.author?.name}
        {item.image.category && ` · ${name(item.image.category.name)}`}
      </span>
      <span className="chips">
        {held?.state === "held" && <Chip>{t("held")}</Chip>}
        {held?.state === "waiting" && <Chip tone="warn">{t("waiting")}</Chip>}
        {decision && (
          <Chip tone={TONES[decision]}>
            <span data-testid={`outcome-${item.label}`} data-outcome={decision}>
              {t(`outcome.${decision}`)}
            </span>
          </Chip>
        )}
      </span>
      {held?.state === "refused" && held.error && <Notice tone="bad">{say(held.error)}</Notice>}
      {(reasons.length > 0 || comment !== "") && (
        <p className="judge-why">
          {reasons
            .map((code) => name(rules.review_reasons.find((reason) => reason.code === code)?.name) || code)
            .join(" · ")}{" "}
          {comment !== "" && <q lang={lang}>{comment}</q>}
        </p>
      )}
    </div>
  );
}

interface CardButtonsProps {
  item: SheetItem;
  canJudge: boolean;
  decision: string | null;
  onAccept: () => void;
  onForm: (name: "return" | "correct" | "history") => void;
}

function CardButtons({ item, canJudge, decision, onAccept, onForm }: CardButtonsProps) {
  const { t } = useTranslation("quality");
  return (
    <div className="row-actions">
      {canJudge && (
        <>
          <Button
            small
            keys="a"
            aria-pressed={decision === "accept"}
            onClick={onAccept}
            data-testid={`accept-${item.label}`}
          >
            {t("action.review.accept")}
          </Button>
          <Button small keys="e" onClick={() => onForm("correct")} data-testid={`correct-${item.label}`}>
            {t("action.correct")}
          </Button>
          <Button small keys="r" onClick={() => onForm("return")} data-testid={`return-${item.label}`}>
            {t("action.review.refuse")}
          </Button>
        </>
      )}
      <Button small look="plain" onClick={() => onForm("history")}>
        {t("history.show", { number: item.revisions_count })}
      </Button>
    </div>
  );
}
