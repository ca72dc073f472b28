/** Final inspection: the drawn items, what passing would mean, and after the last verdict the result. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { queryKey, useRead, useWrite } from "@/api/queries";
import type { InspectionItem, InspectionSheet } from "@/api/types";
import { columnsOf } from "@/item/useSheet";
import { kindView } from "@/kinds/registry";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { inspectActions } from "./actions";
import { DrawCard } from "./inspect/DrawCard";
import { InspectCard } from "./inspect/InspectCard";
import { useInspectSheet } from "./inspect/useInspectSheet";
import { decisionOf, inspecting } from "./inspect/verdicts";
import { CompleteButton, UndoButton, useSheetEnd, WhoJudges } from "./sheetEnd";
import styles from "./quality.module.css";

export function InspectionPage() {
  const id = Number(useParams().packageId);
  const sheet = useRead("inspection_show", { path: { id } }, { fresh: true });
  return <Loaded of={sheet}>{(data) => <Inspect key={`${id}-${data.inspection.round}`} data={data} />}</Loaded>;
}

function Inspect({ data }: { data: InspectionSheet }) {
  const { t } = useTranslation("quality");
  const { package: pkg, inspection, items, rules } = data;
  const slug = useSlug();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const view = kindView(pkg.kind);
  const cards = useRef<HTMLOListElement>(null);
  const key = queryKey("inspection_show", { path: { id: pkg.id } });
  const mayInspect = pkg.available_actions.includes("item_inspect");
  const complete = useWrite("package_inspection_complete");
  const sheet = useInspectSheet<InspectionItem, InspectionItem>({
    kind: { view, rules },
    rows: items,
    itemOf: (item) => item,
    isOpen: (item) => item.inspection_verdict === null,
    mayJudge: mayInspect,
    atEnd: "next",
    send: inspecting((changed) =>
      queries.setQueryData<InspectionSheet>(key, (old) =>
        old ? { ...old, items: old.items.map((item) => (item.id === changed.id ? changed : item)) } : old,
      ),
    ),
  });
  const end = useSheetEnd({
    mayComplete: pkg.available_actions.includes("package_inspection_complete"),
    sheet,
    complete: () =>
      complete.mutate(
        { path: { id: pkg.id }, body: { revision: pkg.revision } },
        { onSuccess: (answer) => queries.setQueryData(key, answer) },
      ),
  });
  useActions(inspectActions, {
    ...sheet.keys,
    moveRow: (step) => sheet.move(step * columnsOf(cards.current)),
    complete: end.key,
    leave: () => void navigate(`/b/${slug}/packages/${pkg.id}`),
  });

  if (!view) return <Empty title={pkg.label}>{t("unknownKind")}</Empty>;
  const isWrong = (item: InspectionItem) => decisionOf(item.inspection_verdict, sheet.entryOf(item)) === "wrong";
  // The random stratum alone decides; corrected items that were added are counted apart.
  const errors = items.filter((item) => item.stratum === "random" && isWrong(item)).length;
  const isRunning = inspection.completed_at === null;
  return (
    <Page
      title={t("inspect.title", { label: pkg.label })}
      lead={
        pkg.assignee && pkg.reviewer
          ? t("inspect.lead", { name: pkg.assignee.name, reviewer: pkg.reviewer.name })
          : t("inspect.leadBlind")
      }
    >
      {complete.error && <Problem error={complete.error} />}
      {isRunning && <WhoJudges pkg={pkg} purpose="inspection" isFree mayJudge={mayInspect} />}
      <div className={styles.inspectColumns}>
        <DrawCard sheet={data} judged={items.length - sheet.open} errors={errors}>
          {isRunning && mayInspect && (
            <div className="row-actions">
              <CompleteButton end={end} label={t("action.inspect.complete")} busy={complete.isPending} testId="complete-inspection" />
              <UndoButton sheet={sheet} />
            </div>
          )}
        </DrawCard>
        <ol className={styles.inspectSheet} data-testid="sheet" ref={cards}>
          {items.map((item, index) => (
            <InspectCard
              key={item.id}
              {...sheet.card(item, index)}
              given={item.inspection_verdict}
              rules={rules}
              view={view}
              note={`${item.ordinal} · ${item.label}`}
              chips={item.stratum === "corrected" && <Chip title={t("draw.correctedHint")}>{t("draw.corrected")}</Chip>}
            />
          ))}
        </ol>
      </div>
      {sheet.fullPicture}
    </Page>
  );
}
