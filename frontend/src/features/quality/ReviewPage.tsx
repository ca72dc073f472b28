/** Senior review: every item is accepted, corrected in place or sent back; then the sample is drawn. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { poolsIn, useBenchmark, useSlug } from "@/api/benchmark";
import { queryKey, useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Package, SheetItem, WorkRules } from "@/api/types";
import { FullPicture } from "@/kinds/FullPicture";
import type { Content } from "@/kinds/kind";
import { contentLanguage } from "@/kinds/language";
import { kindView } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { reviewActions } from "./actions";
import { ReviewCard, type CardForm } from "./review/ReviewCard";
import { decisionOf, useReviewVerdicts, type ReviewVerdict } from "./review/verdicts";
import "./quality.css";

type Sheet = Package & { rules: WorkRules; items: SheetItem[] };

export function ReviewPage() {
  const id = Number(useParams().packageId);
  const sheet = useRead("package_sheet", { path: { id } }, { fresh: true });
  return <Answered of={sheet}>{(data) => <Review key={id} sheet={data} />}</Answered>;
}

function Review({ sheet }: { sheet: Sheet }) {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const may = useMay(slug);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const view = kindView(sheet.kind);
  const benchmark = useBenchmark(slug).data;
  const lang = contentLanguage(benchmark);
  const key = queryKey("package_sheet", { path: { id: sheet.id } });
  const [form, setForm] = useState<{ item: number; name: CardForm } | null>(null);
  const [looking, setLooking] = useState(false);
  const complete = useWrite("package_review_complete", [
    "package_show",
    "package_list",
    "waiting_show",
    "package_sheet",
    "board_show",
  ]);

  const verdicts = useReviewVerdicts(
    (id) => queries.getQueryData<Sheet>(key)?.items.find((item) => item.id === id),
    (changed) =>
      queries.setQueryData<Sheet>(key, (old) =>
        old ? { ...old, items: old.items.map((item) => (item.id === changed.id ? changed : item)) } : old,
      ),
  );
  const { held, heldOf } = verdicts;
  const isOpen = (item: SheetItem) => decisionOf(item, heldOf(item)) === null;

  const [at, setAt] = useState(() =>
    Math.max(
      0,
      sheet.items.findIndex((item) => decisionOf(item, undefined) === null),
    ),
  );
  const current = sheet.items[at];
  const mayReview = sheet.available_actions.includes("item_review");
  const canJudge = (item: SheetItem) => mayReview && (isOpen(item) || heldOf(item)?.state === "held");
  const decided = sheet.items.filter((item) => !isOpen(item)).length;
  const isPooled = sheet.state === "reviewing" && sheet.reviewer === null && poolsIn(benchmark?.protocol.content).includes("review");

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
    if (!(await verdicts.correct(item, content, overrides))) return;
    setForm(null);
    toasts.show(t("corrected", { label: item.label }));
    goOn(item);
  }
  async function finish() {
    if (!(await held.flush())) return;
    complete.mutate(
      { path: { id: sheet.id }, body: { revision: sheet.revision } },
      {
        onSuccess: (pkg) => {
          toasts.show(t(pkg.state === "returned" ? "completed.returned" : "completed.drawn", { label: pkg.label }));
          void navigate(`/b/${slug}/packages/${pkg.id}`);
        },
      },
    );
  }
  const mayComplete = sheet.available_actions.includes("package_review_complete");
  const canComplete = mayComplete && decided === sheet.items.length;
  /** The key of the end, pressed too early: says how much is left and goes there. */
  function goToOpen() {
    setAt(sheet.items.findIndex(isOpen));
    toasts.show(t("stillOpen", { number: sheet.items.length - decided }));
  }

  useActions(reviewActions, {
    mayJudge: current !== undefined && canJudge(current),
    canUndo: held.canUndo,
    accept: () =>
      current && judge(current, { outcome: current.state === "skipped" ? "agree" : "accept", reasons: [], comment: "" }),
    correct: current && current.state !== "skipped" ? () => setForm({ item: current.id, name: "correct" }) : null,
    refuse: () => current && setForm({ item: current.id, name: "return" }),
    move: (step) => setAt(Math.min(sheet.items.length - 1, Math.max(0, at + step))),
    moveRow: (step) => setAt(Math.min(sheet.items.length - 1, Math.max(0, at + step))),
    look: () => setLooking(true),
    undo,
    complete: canComplete ? () => void finish() : mayComplete ? goToOpen : null,
    leave: () => void navigate(`/b/${slug}/packages/${sheet.id}`),
  });

  if (!view) return <Empty title={sheet.label}>{t("unknownKind")}</Empty>;
  return (
    <Page
      title={t("review.title", { label: sheet.label })}
      lead={sheet.assignee ? t("review.lead", { name: sheet.assignee.name }) : t("review.leadBlind")}
    >
      <div className="judge-progress">
        <span className="number" data-testid="decided">
          {t("review.decided", { decided, size: sheet.items.length })}
        </span>
        <Meter value={decided} of={sheet.items.length} label={t("review.progress")} />
        <Button small keys="z" disabled={!held.canUndo} onClick={undo} data-testid="undo">
          {t("action.undo")}
        </Button>
        {mayComplete && (
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
      {isPooled ? (
        <Notice
          action={
            may("pool_claim") && (
              <ButtonLink small to={`/b/${slug}/pools/review?kind=${sheet.kind}`}>
                {t("pool.go.review")}
              </ButtonLink>
            )
          }
        >
          {t("review.pooled")}
        </Notice>
      ) : (
        !mayReview && <Notice>{t("review.onlyReading")}</Notice>
      )}
      {complete.error && <Problem error={complete.error} />}
      <ol className="judge-sheet">
        {sheet.items.map((item, index) => (
          <ReviewCard
            key={item.id}
            item={item}
            held={heldOf(item)}
            rules={sheet.rules}
            view={view}
            lang={lang}
            selected={index === at}
            canJudge={canJudge(item)}
            form={form?.item === item.id ? form.name : null}
            correcting={verdicts.correcting}
            correctError={verdicts.correctError}
            onSelect={() => setAt(index)}
            onLook={() => setLooking(true)}
            onForm={(name) => {
              verdicts.forgetError();
              setForm(name === null ? null : { item: item.id, name });
            }}
            onVerdict={(verdict) => judge(item, verdict)}
            onCorrect={(content, overrides) => void correct(item, content, overrides)}
          />
        ))}
      </ol>
      {looking && current && <FullPicture image={current.image} onClose={() => setLooking(false)} />}
    </Page>
  );
}
