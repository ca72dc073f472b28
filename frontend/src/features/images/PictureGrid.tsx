/** All pictures of a benchmark; for curators the place where they inspect them, by keys. */
import { useEffect, useRef, useState, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { reasonsIn, useBenchmark, useSlug } from "@/api/benchmark";
import { useList } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Image, ImageCounts, Reason } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { PickOne } from "@/ui/kit/PickOne";
import { ListFoot } from "@/ui/ListFoot";
import { Page } from "@/ui/Page";
import { categoryOptions } from "./categories";
import { gridActions } from "./gridActions";
import { useJudging } from "./judging";
import { Lightbox } from "./Lightbox";
import { PictureCard } from "./PictureCard";
import { ReasonBar } from "./ReasonBar";
import { columnsOf, moveTo, NONE, selectAll, targets, toggle, type Selection } from "./selection";
import "./images.css";

const STATES = ["received", "accepted", "refused"] as const;

export function PictureGrid() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const may = useMay(slug);
  const name = useLocalised();
  const [search, setSearch] = useSearchParams();
  const state = STATES.find((one) => one === search.get("state")) ?? "";
  const category = search.get("category") ?? "";
  const benchmark = useBenchmark(slug);
  const list = useList("image_list", {
    path: { b: slug },
    query: { state: state === "" ? undefined : state, category: category === "" ? undefined : category, page_size: 60 },
  });
  const counts = list.data?.pages[0]?.counts;
  const filter = (key: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(key);
    else next.set(key, value);
    setSearch(next);
  };
  const add = may("image_upload") && (
    <ButtonLink to={`/b/${slug}/pictures/add`} look="primary" data-testid="add-pictures">
      {t("add")}
    </ButtonLink>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={add}>
      <div className="grid-filters">
        <StateFilter state={state} counts={counts} onChoose={(value) => filter("state", value)} />
        <div className="grid-category">
          <PickOne
            label={t("field.category")}
            value={category === "" ? null : category}
            options={categoryOptions(benchmark.data?.categories ?? [], name)}
            onChange={(value) => filter("category", value ?? "")}
            placeholder={t("allCategories")}
            testId="category-filter"
          />
        </div>
      </div>
      <Answered of={list}>
        {() =>
          list.rows.length === 0 ? (
            <Empty title={state === "" && category === "" ? t("empty.title") : t("empty.filtered")} actions={add}>
              {state === "" && category === "" ? t("empty.text") : t("empty.filteredText")}
            </Empty>
          ) : (
            <>
              <Grid
                key={`${state} ${category}`}
                rows={list.rows}
                slug={slug}
                reasons={reasonsIn(benchmark.data?.protocol.content, "images", "refusal_reasons")}
                onNearEnd={() => {
                  if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
                }}
              />
              <ListFoot list={list} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}

function StateFilter({ state, counts, onChoose }: { state: string; counts: ImageCounts | undefined; onChoose: (state: string) => void }) {
  const { t } = useTranslation("images");
  const format = useFormat();
  const number = (value: number | undefined) => (value === undefined ? "" : format.number(value));
  const all = counts && counts.received + counts.accepted + counts.refused;
  return (
    <div className="chips" role="group" aria-label={t("filter")}>
      <button type="button" className="chip" aria-pressed={state === ""} onClick={() => onChoose("")} data-testid="filter-all">
        {t("all")} <span className="number">{number(all)}</span>
      </button>
      {STATES.map((one) => (
        <button key={one} type="button" className="chip" aria-pressed={state === one} onClick={() => onChoose(one)} data-testid={`filter-${one}`}>
          {t(`ui:imageState.${one}`)} <span className="number">{number(counts?.[one])}</span>
        </button>
      ))}
      <span className="tiny" style={{ alignSelf: "center" }}>
        {counts && t("clearCount", { count: counts.personal_information_clear })}
      </span>
    </div>
  );
}

function Grid({ rows, slug, reasons, onNearEnd }: { rows: readonly Image[]; slug: string; reasons: readonly Reason[]; onNearEnd: () => void }) {
  const { t } = useTranslation("images");
  const may = useMay(slug);
  const name = useLocalised();
  const navigate = useNavigate();
  const [selection, setSelection] = useState<Selection>(NONE);
  const [isOpen, setIsOpen] = useState(false);
  const { judge, pending } = useJudging();
  const grid = useRef<HTMLUListElement>(null);
  const at = Math.min(selection.at, rows.length - 1);
  const current = rows[at];

  const chosen = () => targets(selection, rows.length).flatMap((index) => rows[index] ?? []);
  const go = (to: number, extend: boolean) => {
    setSelection(moveTo(selection, to, rows.length, extend));
    if (to > rows.length - 12) onNearEnd();
  };
  // One picture at a time: the next is there as soon as this one is decided.
  const onward = () => setSelection((now) => (now.chosen.size > 0 ? { ...now, chosen: new Set() } : moveTo(now, now.at + 1, rows.length, false)));
  const mayJudge = may("image_judge");
  const mayClear = may("image_clear");
  const accept = () => void judge(chosen(), { outcome: "accepted" }).then(onward);
  const refuse = (reason: Reason) => void judge(chosen(), { outcome: "refused", reasons: [reason.code] }).then(onward);
  const clear = () => void judge(chosen(), { outcome: "clear" });
  useActions(gridActions, {
    reasons,
    reasonName: (reason) => name(reason?.name),
    any: rows.length > 0,
    mayJudge,
    mayClear,
    isOpen,
    move: ({ columns = 0, rows: lines = 0 }, extend) => {
      const tops = [...(grid.current?.children ?? [])].map((child) => (child as HTMLElement).offsetTop);
      // Shown large, up and down go one picture on as well: there are no rows to see.
      go(at + columns + lines * (isOpen ? 1 : columnsOf(tops)), extend && !isOpen);
    },
    selectAll: () => setSelection(selectAll(rows.length)),
    open: () => setIsOpen(true),
    close: () => setIsOpen(false),
    openPage: () => void (current && navigate(`/b/${slug}/pictures/${current.id}`)),
    accept,
    refuse,
    clear,
  });
  const decide = mayJudge && (
    <ReasonBar reasons={reasons} count={targets(selection, rows.length).length} onAccept={accept} onRefuse={refuse} onClear={mayClear ? clear : undefined} />
  );

  useEffect(() => {
    const card = grid.current?.children[at];
    if (!(card instanceof HTMLElement)) return;
    card.scrollIntoView({ block: "nearest" });
    // The cursor takes the focus only when it is in the grid already: filters keep theirs.
    if (grid.current?.contains(document.activeElement) === true) card.focus({ preventScroll: true });
  }, [at]);

  const onClick = (index: number) => (event: MouseEvent) => {
    if (event.shiftKey) setSelection(moveTo(selection, index, rows.length, true));
    else if (event.ctrlKey || event.metaKey) setSelection(toggle(selection, index));
    else setSelection(moveTo(selection, index, rows.length, false));
  };

  return (
    <>
      <ul ref={grid} className="grid" role="listbox" aria-multiselectable="true" aria-label={t("title")} data-testid="picture-grid">
        {rows.map((image, index) => (
          <PictureCard
            key={image.id}
            image={image}
            slug={slug}
            isAt={index === at}
            isChosen={selection.chosen.size > 0 ? selection.chosen.has(index) : index === at}
            isMarked={selection.chosen.has(index)}
            isPending={pending.has(image.id)}
            onClick={onClick(index)}
            onOpen={() => {
              setSelection(moveTo(selection, index, rows.length, false));
              setIsOpen(true);
            }}
            onFocus={() => {
              if (index !== at) setSelection(moveTo(selection, index, rows.length, false));
            }}
          />
        ))}
      </ul>
      {isOpen && current ? (
        <Lightbox image={current} slug={slug} onStep={(step) => go(at + step, false)} onClose={() => setIsOpen(false)}>
          {decide}
        </Lightbox>
      ) : (
        decide
      )}
    </>
  );
}
