/** Final inspection: the drawn items, what passing would mean, and after the last verdict the result with its interval. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { poolsIn, useBenchmark, useSlug } from "@/api/benchmark";
import { queryKey, useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { InspectionItem, InspectionSheet } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { FullPicture } from "@/kinds/FullPicture";
import { contentLanguage } from "@/kinds/language";
import { kindView } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button, ButtonLink } from "@/ui/Button";
import { Chances } from "@/ui/Chances";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { inspectActions } from "./actions";
import { InspectCard } from "./inspect/InspectCard";
import { decisionOf, useInspectVerdicts, type InspectVerdict } from "./inspect/verdicts";
import { IntervalBar } from "./IntervalBar";
import { columnsOf } from "./SheetCard";
import "./quality.css";

export function InspectionPage() {
  const id = Number(useParams().packageId);
  const sheet = useRead("inspection_show", { path: { id } }, { fresh: true });
  return <Answered of={sheet}>{(data) => <Inspect key={`${id}-${data.inspection.round}`} sheet={data} />}</Answered>;
}

function Inspect({ sheet }: { sheet: InspectionSheet }) {
  const { t } = useTranslation("quality");
  const { package: pkg, inspection, items, rules } = sheet;
  const slug = useSlug();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const view = kindView(pkg.kind);
  const benchmark = useBenchmark(slug).data;
  const lang = contentLanguage(benchmark);
  const may = useMay(slug);
  const isPooled = poolsIn(benchmark?.protocol.content).includes("inspection");
  const key = queryKey("inspection_show", { path: { id: pkg.id } });
  const [refusing, setRefusing] = useState<number | null>(null);
  const [looking, setLooking] = useState(false);
  const cards = useRef<HTMLOListElement>(null);
  const complete = useWrite("package_inspection_complete", [
    "package_show",
    "package_list",
    "waiting_show",
    "run_list",
  ]);

  const { held, list } = useInspectVerdicts((changed) =>
    queries.setQueryData<InspectionSheet>(key, (old) =>
      old ? { ...old, items: old.items.map((item) => (item.id === changed.id ? changed : item)) } : old,
    ),
  );
  const heldOf = (item: InspectionItem) => list.find((one) => one.itemId === item.id);
  const decision = (item: InspectionItem) => decisionOf(item.inspection_verdict, heldOf(item));

  const [at, setAt] = useState(() =>
    Math.max(
      0,
      items.findIndex((item) => item.inspection_verdict === null),
    ),
  );
  const current = items[at];
  const mayInspect = pkg.available_actions.includes("item_inspect");
  const mayJudge = mayInspect && current?.inspection_verdict === null;
  const judged = items.filter((item) => decision(item) !== null).length;
  // The random stratum alone decides; corrected items that were added are told apart.
  const errors = items.filter((item) => item.stratum === "random" && decision(item) === "wrong").length;

  const move = (step: number) => setAt(Math.min(items.length - 1, Math.max(0, at + step)));
  function goOn(from: InspectionItem) {
    const here = items.findIndex((item) => item.id === from.id);
    const after = items.findIndex((item, index) => index > here && decision(item) === null);
    setAt(after === -1 ? Math.min(here + 1, items.length - 1) : after);
  }
  function judge(item: InspectionItem, verdict: Omit<InspectVerdict, "revisionNo">) {
    held.hold(item.id, { ...verdict, revisionNo: item.revision_no });
    setRefusing(null);
    goOn(item);
  }
  function undo() {
    const itemId = held.undo();
    const index = items.findIndex((item) => item.id === itemId);
    if (index !== -1) setAt(index);
  }
  async function finish() {
    if (!(await held.flush())) return;
    complete.mutate(
      { path: { id: pkg.id }, body: { revision: pkg.revision } },
      {
        onSuccess: (answer) => queries.setQueryData(key, answer),
      },
    );
  }
  const mayComplete = pkg.available_actions.includes("package_inspection_complete");
  const canComplete = mayComplete && judged === items.length;
  /** The key of the end, pressed too early: says how much is left and goes there. */
  function goToOpen() {
    setAt(items.findIndex((item) => decision(item) === null));
    toasts.show(t("stillOpen", { number: items.length - judged }));
  }

  useActions(inspectActions, {
    mayJudge,
    canUndo: held.canUndo,
    accept: () => current && judge(current, { outcome: "right", reasons: [], comment: "" }),
    correct: null,
    refuse: () => current && setRefusing(current.id),
    move,
    moveRow: (step) => move(step * columnsOf(cards.current)),
    look: () => setLooking(true),
    undo,
    complete: canComplete ? () => void finish() : mayComplete ? goToOpen : null,
    leave: () => void navigate(`/b/${slug}/packages/${pkg.id}`),
  });

  if (!view) return <Empty title={pkg.label}>{t("unknownKind")}</Empty>;
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
      {inspection.completed_at === null &&
        (isPooled ? (
          <Notice
            action={
              may("pool_claim") && (
                <ButtonLink small to={`/b/${slug}/pools/inspection?kind=${pkg.kind}`}>
                  {t("pool.go.inspection")}
                </ButtonLink>
              )
            }
          >
            {t("inspect.pooled")}
          </Notice>
        ) : (
          !mayInspect && <Notice>{t("inspect.onlyReading")}</Notice>
        ))}
      <div className="inspect-columns">
        <DrawCard sheet={sheet} judged={judged} errors={errors}>
          {inspection.completed_at === null && mayInspect && (
            <div className="row-actions">
              {mayComplete && (
                <Button
                  look="primary"
                  small
                  keys="Mod+Enter"
                  disabled={!canComplete}
                  busy={complete.isPending}
                  onClick={() => void finish()}
                  data-testid="complete-inspection"
                >
                  {t("action.inspect.complete")}
                </Button>
              )}
              <Button small keys="z" disabled={!held.canUndo} onClick={undo} data-testid="undo">
                {t("action.undo")}
              </Button>
            </div>
          )}
        </DrawCard>
        <ol className="inspect-sheet" ref={cards}>
          {items.map((item, index) => (
            <InspectCard
              key={item.id}
              item={item}
              held={heldOf(item)}
              given={item.inspection_verdict}
              rules={rules}
              view={view}
              lang={lang}
              selected={index === at}
              canJudge={mayInspect && item.inspection_verdict === null}
              refusing={refusing === item.id}
              note={
                <>
                  {item.ordinal} · {item.label}
                </>
              }
              chips={item.stratum === "corrected" && <Chip title={t("draw.correctedHint")}>{t("draw.corrected")}</Chip>}
              onSelect={() => setAt(index)}
              onLook={() => setLooking(true)}
              onRefusing={(open) => setRefusing(open ? item.id : null)}
              onVerdict={(verdict) => judge(item, verdict)}
            />
          ))}
        </ol>
      </div>
      {looking && current && <FullPicture image={current.image} onClose={() => setLooking(false)} />}
    </Page>
  );
}

interface DrawCardProps {
  sheet: InspectionSheet;
  judged: number;
  errors: number;
  children: React.ReactNode;
}

function DrawCard({ sheet, judged, errors, children }: DrawCardProps) {
  const { t } = useTranslation("quality");
  const format = useFormat();
  const { inspection, items } = sheet;
  const besides = items.filter((item) => item.stratum === "corrected").length;
  return (
    <aside className="card inspect-draw" data-testid="draw">
      {inspection.completed_at !== null && inspection.interval && (
        <div
          className={`inspect-result inspect-${inspection.outcome}`}
          data-testid="result"
          data-outcome={inspection.outcome}
        >
          <p className="big number">
            {inspection.interval.right} <span className="dim inspect-of">/ {inspection.interval.n}</span>
          </p>
          <p>
            <strong>{t(`result.${inspection.outcome}`)}</strong>{" "}
            {t("result.text", { right: inspection.interval.right, n: inspection.interval.n })}
          </p>
          <IntervalBar interval={inspection.interval} limit={inspection.pass_over_percent} />
        </div>
      )}
      <p className="dim">
        {t("draw.text", {
          size: inspection.size,
          population: inspection.population,
          percent: format.percent(inspection.size / Math.max(1, inspection.population), 0),
        })}
        {besides > 0 && ` ${t("draw.besides", { number: besides })}`}
      </p>
      {inspection.completed_at === null && (
        <p className="big number" data-testid="judged">
          {judged} <span className="dim inspect-of">/ {items.length}</span>
        </p>
      )}
      {children}
      <dl className="facts">
        <dt>{t("draw.errors")}</dt>
        <dd className={errors > inspection.errors_allowed ? "number inspect-over" : "number"}>{errors}</dd>
        <dt>{t("draw.allowed")}</dt>
        <dd className="number" data-testid="allowed">
          {inspection.errors_allowed}
        </dd>
        <dt>{t("draw.limit")}</dt>
        <dd>{t("draw.over", { percent: format.percent(inspection.pass_over_percent / 100, 0) })}</dd>
        <dt>{t("draw.seed")}</dt>
        <dd className="mono" title={t("draw.seedHint")}>
          {inspection.seed}
        </dd>
        <dt>{t("draw.round")}</dt>
        <dd className="number">{inspection.round}</dd>
        <dt>{t("draw.inspector")}</dt>
        <dd>{inspection.inspector?.name ?? t("draw.nobody")}</dd>
      </dl>
      <Chances chances={inspection.pass_chances} />
    </aside>
  );
}
