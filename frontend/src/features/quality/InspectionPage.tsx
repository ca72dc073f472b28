/** Final inspection: the drawn items, what passing would mean, and after the last verdict the result with its interval. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { call, newClientKey } from "@/api/client";
import { queryKey, useRead, useWrite } from "@/api/queries";
import type { InspectionItem, InspectionSheet } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { FullPicture } from "@/kinds/FullPicture";
import { contentLanguage } from "@/kinds/language";
import { kindView } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem, useErrorText } from "@/ui/Problem";
import { inspectActions } from "./actions";
import type { Held } from "./heldVerdicts";
import { IntervalBar } from "./IntervalBar";
import { PassChart } from "./PassChart";
import { ReasonForm } from "./ReasonForm";
import { columnsOf, SheetCard } from "./SheetCard";
import { useHeldVerdicts } from "./useHeldVerdicts";
import "./quality.css";

interface InspectVerdict {
  outcome: "right" | "wrong";
  revisionNo: number;
  reasons: string[];
  comment: string;
}

export function InspectionPage() {
  const id = Number(useParams().packageId);
  const sheet = useRead("inspection_show", { path: { id } }, { fresh: true });
  return <Answered of={sheet}>{(data) => <Inspect key={`${id}-${data.inspection.round}`} sheet={data} />}</Answered>;
}

function decisionOf(item: InspectionItem, held: Held<InspectVerdict> | undefined): "right" | "wrong" | null {
  if (held) return held.verdict.outcome;
  if (item.inspection_verdict === null) return null;
  return item.inspection_verdict.outcome === "wrong" ? "wrong" : "right";
}

function Inspect({ sheet }: { sheet: InspectionSheet }) {
  const { t } = useTranslation("quality");
  const { package: pkg, inspection, items, rules } = sheet;
  const slug = useSlug();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const view = kindView(pkg.kind);
  const lang = contentLanguage(useBenchmark(slug).data);
  const key = queryKey("inspection_show", { path: { id: pkg.id } });
  const [refusing, setRefusing] = useState<number | null>(null);
  const [looking, setLooking] = useState(false);
  const [completeKey, setCompleteKey] = useState(newClientKey);
  const cards = useRef<HTMLOListElement>(null);
  const complete = useWrite("package_inspection_complete", [
    "package_show",
    "package_list",
    "waiting_show",
    "run_list",
  ]);

  const { held, list } = useHeldVerdicts<InspectVerdict>(async ({ itemId, verdict, key: clientKey }) => {
    const changed = await call(
      "item_inspect",
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
    );
    queries.setQueryData<InspectionSheet>(key, (old) =>
      old ? { ...old, items: old.items.map((item) => (item.id === changed.id ? changed : item)) } : old,
    );
  });
  const heldOf = (item: InspectionItem) => list.find((one) => one.itemId === item.id);
  const decision = (item: InspectionItem) => decisionOf(item, heldOf(item));

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
      { path: { id: pkg.id }, body: { revision: pkg.revision, client_key: completeKey } },
      {
        onSuccess: (answer) => queries.setQueryData(key, answer),
        onError: () => setCompleteKey(newClientKey()),
      },
    );
  }
  const mayComplete = pkg.available_actions.includes("package_inspection_complete");
  const canComplete = mayComplete && judged === items.length;

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
    complete: canComplete ? () => void finish() : null,
    leave: () => void navigate(`/b/${slug}/packages/${pkg.id}`),
  });

  if (!view) return <Empty title={pkg.label}>{t("unknownKind")}</Empty>;
  return (
    <Page
      title={t("inspect.title", { label: pkg.label })}
      lead={t("inspect.lead", { name: pkg.assignee?.name ?? "", reviewer: pkg.reviewer?.name ?? "" })}
    >
      {complete.error && <Problem error={complete.error} />}
      {!mayInspect && inspection.completed_at === null && <Notice>{t("inspect.onlyReading")}</Notice>}
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
            <SheetCard
              key={item.id}
              item={item}
              wide={false}
              selected={index === at}
              onSelect={() => setAt(index)}
              onLook={() => {
                setAt(index);
                setLooking(true);
              }}
            >
              <InspectHead item={item} held={heldOf(item)} rules={rules} lang={lang} />
              {item.content && (
                <view.Reader content={item.content} lang={lang} findings={item.findings} reasons={item.reasons} />
              )}
              {refusing === item.id && (
                <ReasonForm
                  title={t("inspect.why")}
                  confirm={t("action.inspect.refuse")}
                  reasons={rules.review_reasons}
                  lang={lang}
                  onConfirm={(reasons, comment) => judge(item, { outcome: "wrong", reasons, comment })}
                  onCancel={() => setRefusing(null)}
                />
              )}
              {mayInspect && item.inspection_verdict === null && refusing !== item.id && (
                <div className="row-actions">
                  <Button
                    small
                    keys="a"
                    aria-pressed={decision(item) === "right"}
                    onClick={() => {
                      setAt(index);
                      judge(item, { outcome: "right", reasons: [], comment: "" });
                    }}
                    data-testid={`right-${item.label}`}
                  >
                    {t("action.inspect.accept")}
                  </Button>
                  <Button
                    small
                    keys="r"
                    aria-pressed={decision(item) === "wrong"}
                    onClick={() => {
                      setAt(index);
                      setRefusing(item.id);
                    }}
                    data-testid={`wrong-${item.label}`}
                  >
                    {t("action.inspect.refuse")}
                  </Button>
                </div>
              )}
            </SheetCard>
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
  const [worst] = inspection.pass_chances;
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
      {inspection.pass_chances.length > 0 && (
        <>
          <PassChart chances={inspection.pass_chances} />
          <p className="tiny">
            {t("chart.title")}{" "}
            {worst &&
              t("chart.text", {
                right: format.percent(worst.right_percent / 100, 0),
                times: Math.round(worst.chance * 100),
              })}
          </p>
        </>
      )}
    </aside>
  );
}

interface InspectHeadProps {
  item: InspectionItem;
  held: Held<InspectVerdict> | undefined;
  rules: InspectionSheet["rules"];
  lang: string;
}

function InspectHead({ item, held, rules, lang }: InspectHeadProps) {
  const { t } = useTranslation("quality");
  const name = useLocalised();
  const say = useErrorText();
  const decision = decisionOf(item, held);
  const reasons = held?.verdict.reasons ?? item.inspection_verdict?.reasons ?? [];
  const comment = held?.verdict.comment ?? item.inspection_verdict?.comment ?? "";
  return (
    <div className="judge-head">
      <span className="tiny">
        {item.ordinal} · {item.label}
      </span>
      <span className="chips">
        {item.stratum === "corrected" && <Chip title={t("draw.correctedHint")}>{t("draw.corrected")}</Chip>}
        {held?.state === "held" && <Chip>{t("held")}</Chip>}
        {held?.state === "waiting" && <Chip tone="warn">{t("waiting")}</Chip>}
        {decision && (
          <Chip tone={decision === "right" ? "good" : "bad"}>
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
