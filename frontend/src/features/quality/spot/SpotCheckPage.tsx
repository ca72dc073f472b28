/** The drawn items of spot checks, judged one after the other by keys: right, or wrong for a reason. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { call } from "@/api/client";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { SpotCheckItem, SpotCheckSheet } from "@/api/types";
import { columnsOf } from "@/item/useSheet";
import { kindView } from "@/kinds/registry";
import { useTrackKinds } from "@/kinds/useTrackKinds";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Loaded } from "@/ui/Loaded";
import { Meter } from "@/ui/Meter";
import { Page } from "@/ui/Page";
import { useFilters } from "@/ui/useFilters";
import { spotCheckActions } from "../actions";
import { InspectCard } from "../inspect/InspectCard";
import { useInspectSheet } from "../inspect/useInspectSheet";
import type { InspectVerdict } from "../inspect/verdicts";
import { CompleteButton, UndoButton, useSheetEnd } from "../sheetEnd";
import styles from "../quality.module.css";

/** Reads of which a verdict changes the answer. */
const CHANGED = ["spot_check_list", "team_board"] as const;

export function SpotCheckPage() {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const kinds = useTrackKinds(slug, "peer");
  const kind = useFilters().oneOf("kind", kinds) ?? kinds[0] ?? "";
  // Each answer is judged to its end before the next: what was judged would vanish from under the keys.
  const [part, setPart] = useState(0);
  const sheet = useRead("spot_check_sheet", { path: { b: slug }, query: { kind } }, { fresh: true, staleTime: Infinity, enabled: kind !== "" });
  const results = `/b/${slug}/team/spot-checks?kind=${kind}`;
  const benchmark = useBenchmark(slug);
  if (kind === "") {
    return (
      <Page title={t("spot.title")}>
        <Loaded of={benchmark}>{() => <Empty title={t("team:none.title")}>{t("team:none.text")}</Empty>}</Loaded>
      </Page>
    );
  }
  return (
    <Page title={t("spot.title")} lead={t("spot.lead", { kind: t(`ui:kind.${kind}`) })}>
      <Loaded of={sheet}>
        {(data) => (
          <SpotCheck key={`${kind}-${part}`} sheet={data} results={results} onNext={() => void sheet.refetch().then(() => setPart(part + 1))} />
        )}
      </Loaded>
    </Page>
  );
}

/** What the reader did on the item earlier, so that someone else should judge it. */
function ownPart(item: SpotCheckItem): "both" | "edited" | "starred" | null {
  if (item.reader_edited) return item.reader_starred ? "both" : "edited";
  return item.reader_starred ? "starred" : null;
}

interface SpotCheckProps {
  sheet: SpotCheckSheet;
  /** Address of the results. */
  results: string;
  /** Asks for the items that did not fit on this sheet. */
  onNext: () => void;
}

function SpotCheck({ sheet: data, results, onNext }: SpotCheckProps) {
  const { t } = useTranslation("quality");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const cards = useRef<HTMLOListElement>(null);
  const [{ items, total }] = useState(data);
  // The answer does not carry one's own verdicts, so the page remembers those that were sent for the cards.
  const [given, setGiven] = useState<ReadonlyMap<number, Pick<InspectVerdict, "outcome" | "reasons" | "comment">>>(new Map());
  const view = kindView(data.kind);
  const sheet = useInspectSheet<SpotCheckItem, SpotCheckItem>({
    kind: { view, rules: data.rules },
    rows: items,
    itemOf: (item) => item,
    isOpen: (item) => !given.has(item.id),
    mayJudge: true,
    atEnd: "first",
    send: async (id, body) => {
      await call("item_spot_check", { path: { id }, body }, { keepalive: true });
      setGiven((before) => new Map(before).set(id, body));
      for (const read of CHANGED) void queries.invalidateQueries({ queryKey: [read] });
    },
  });
  const leave = () => void navigate(results);
  const isLast = total <= items.length;
  const end = useSheetEnd({ mayComplete: items.length > 0, sheet, complete: isLast ? leave : onNext });
  useActions(spotCheckActions, {
    ...sheet.keys,
    moveRow: (step) => sheet.move(step * columnsOf(cards.current)),
    complete: end.key,
    leave,
  });

  if (!view) return <Empty title={t("spot.title")}>{t("unknownKind")}</Empty>;
  if (items.length === 0) {
    return (
      <Empty title={t("spot.empty.title")} actions={<ButtonLink to={results}>{t("spot.leave")}</ButtonLink>}>
        {t("spot.empty.text")}
      </Empty>
    );
  }
  const judged = items.length - sheet.open;
  return (
    <>
      <div className={styles.judgeProgress}>
        <span className="number" data-testid="judged">
          {t("spot.judged", { judged, size: total })}
        </span>
        <Meter value={judged} of={total} label={t("spot.progress")} />
        <UndoButton sheet={sheet} />
        <CompleteButton end={end} label={t(isLast ? "spot.complete" : "spot.more")} busy={false} testId="complete-spot-check" />
      </div>
      <ol className={styles.inspectSheet} data-testid="sheet" ref={cards}>
        {items.map((item, index) => (
          <InspectCard
            key={item.id}
            {...sheet.card(item, index)}
            given={given.get(item.id) ?? null}
            rules={data.rules}
            view={view}
            note={`${item.label} · ${item.team.name}`}
            warning={ownPart(item) === null ? undefined : t(`spot.own.${ownPart(item)}`)}
          />
        ))}
      </ol>
      {sheet.fullPicture}
    </>
  );
}
