/** Senior review: every item is accepted, corrected in place or returned; then the sample is drawn. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { queryKey, useRead, useWrite } from "@/api/queries";
import type { Package, SheetItem, WorkRules } from "@/api/types";
import { kindView } from "@/kinds/registry";
import { Loaded } from "@/ui/Loaded";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { reviewActions } from "./actions";
import { ReviewCard } from "./review/ReviewCard";
import { useReviewSheet } from "./review/useReviewSheet";
import { decisionOf } from "./review/verdicts";
import { CompleteButton, UndoButton, useSheetEnd, WhoJudges } from "./sheetEnd";
import styles from "./quality.module.css";

type PackageSheet = Package & { rules: WorkRules; items: SheetItem[] };

export function ReviewPage() {
  const id = Number(useParams().packageId);
  const sheet = useRead("package_sheet", { path: { id } }, { fresh: true });
  return <Loaded of={sheet}>{(data) => <Review key={id} pkg={data} />}</Loaded>;
}

function Review({ pkg }: { pkg: PackageSheet }) {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const view = kindView(pkg.kind);
  const key = queryKey("package_sheet", { path: { id: pkg.id } });
  const mayReview = pkg.available_actions.includes("item_review");
  const complete = useWrite("package_review_complete");
  const sheet = useReviewSheet<SheetItem>({
    kind: { view, rules: pkg.rules },
    rows: pkg.items,
    itemOf: (item) => item,
    isOpen: (item) => decisionOf(item, undefined) === null,
    mayJudge: mayReview,
    atEnd: "next",
    find: (id) => queries.getQueryData<PackageSheet>(key)?.items.find((item) => item.id === id),
    put: (changed) =>
      queries.setQueryData<PackageSheet>(key, (old) =>
        old ? { ...old, items: old.items.map((item) => (item.id === changed.id ? changed : item)) } : old,
      ),
  });
  const leave = () => void navigate(`/b/${slug}/packages/${pkg.id}`);
  const end = useSheetEnd({
    mayComplete: pkg.available_actions.includes("package_review_complete"),
    sheet,
    complete: () =>
      complete.mutate(
        { path: { id: pkg.id }, body: { revision: pkg.revision } },
        {
          onSuccess: ({ state, label }) => {
            toasts.show(t(state === "returned" ? "completed.returned" : "completed.drawn", { label }));
            leave();
          },
        },
      ),
  });
  useActions(reviewActions, { ...sheet.keys, complete: end.key, leave });

  if (!view) return <Empty title={pkg.label}>{t("unknownKind")}</Empty>;
  const size = pkg.items.length;
  const decided = size - sheet.open;
  return (
    <Page
      title={t("review.title", { label: pkg.label })}
      lead={pkg.assignee ? t("review.lead", { name: pkg.assignee.name }) : t("review.leadBlind")}
    >
      <div className={styles.judgeProgress}>
        <span className="number" data-testid="decided">
          {t("review.decided", { decided, size })}
        </span>
        <Meter value={decided} of={size} label={t("review.progress")} />
        <UndoButton sheet={sheet} />
        <CompleteButton end={end} label={t("action.review.complete")} busy={complete.isPending} testId="complete-review" />
      </div>
      <WhoJudges pkg={pkg} purpose="review" isFree={pkg.state === "reviewing" && pkg.reviewer === null} mayJudge={mayReview} />
      {complete.error && <Problem error={complete.error} />}
      <ol className={styles.judgeSheet} data-testid="sheet">
        {pkg.items.map((item, index) => (
          <ReviewCard key={item.id} {...sheet.card(item, index)} rules={pkg.rules} view={view} />
        ))}
      </ol>
      {sheet.fullPicture}
    </Page>
  );
}
