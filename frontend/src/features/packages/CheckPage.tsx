/** Self-check: the whole package as a sheet; every item is read again and ticked, then the package is handed over. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { call, newClientKey } from "@/api/client";
import type { ApiError } from "@/api/errors";
import { queryKey, useRead, useWrite } from "@/api/queries";
import type { Package, WorkItem } from "@/api/types";
import { FullPicture } from "@/kinds/FullPicture";
import { contentLanguage } from "@/kinds/language";
import { kindView } from "@/kinds/registry";
import { Answered } from "@/ui/Answered";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { toasts } from "@/ui/toasts";
import { checkActions } from "./actions";
import { Skipped } from "./Skipped";
import { TickSender } from "./ticks";
import "./packages.css";

type Detail = Package & { items: WorkItem[] };

export function CheckPage() {
  const id = Number(useParams().packageId);
  const pkg = useRead("package_show", { path: { id } }, { fresh: true });
  return <Answered of={pkg}>{(data) => <Sheet key={id} pkg={data} />}</Answered>;
}

function Sheet({ pkg }: { pkg: Detail }) {
  const { t } = useTranslation("packages");
  const slug = useSlug();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const view = kindView(pkg.kind);
  const lang = contentLanguage(useBenchmark(slug).data);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      pkg.items.findIndex((item) => !item.checked && item.state !== "skipped"),
    ),
  );
  const [looking, setLooking] = useState(false);
  const [onTheWay, setOnTheWay] = useState<ReadonlyMap<number, number>>(new Map());
  const [problem, setProblem] = useState<ApiError | null>(null);
  const handOver = useWrite("package_hand_over", ["package_show", "package_list", "waiting_show"]);

  const [sender] = useState(
    () =>
      new TickSender<Detail>({
        revision: pkg.revision,
        send: (revision, items) =>
          call("package_self_check", {
            path: { id: pkg.id },
            body: { revision, items: [...items], client_key: newClientKey() },
          }),
        onAnswer: (answer) => {
          setProblem(null);
          queries.setQueryData(queryKey("package_show", { path: { id: pkg.id } }), answer);
        },
        onFailure: (error) => {
          setProblem(error);
          void queries.invalidateQueries({ queryKey: ["package_show"] });
        },
        onPending: (items) => setOnTheWay(new Map(items.map((item) => [item.id, item.revision_no]))),
      }),
  );
  useEffect(() => sender.rebase(pkg.revision), [pkg.revision, sender]);
  useEffect(() => () => void sender.flush(), [sender]);

  const isTicked = (item: WorkItem) => {
    const sent = onTheWay.get(item.id);
    return sent === undefined ? item.checked : sent > 0;
  };
  const isWritten = (item: WorkItem) => item.state !== "todo" && item.state !== "returned" && item.state !== "skipped";
  const current = pkg.items[at];
  // What was skipped holds no text to read again: the reviewer decides about it.
  const toRead = pkg.items.filter((item) => item.state !== "skipped");
  const ticked = toRead.filter(isTicked).length;
  const skipped = pkg.items.length - toRead.length;
  const mayTick = pkg.available_actions.includes("package_self_check");
  // What has been mended since the refusal leaves its list.
  const missing = missingIn(handOver.error).filter((lack) => {
    const item = pkg.items.find((one) => one.id === lack.item_id);
    return item !== undefined && !(isWritten(item) && isTicked(item));
  });

  function toggle(item: WorkItem, index: number) {
    if (!mayTick || !isWritten(item)) return;
    const tick = !isTicked(item);
    sender.tick({ id: item.id, revision_no: tick ? item.revision_no : 0 });
    if (!tick) return;
    const after = pkg.items.findIndex(
      (one, position) => position > index && one.id !== item.id && one.state !== "skipped" && !isTicked(one),
    );
    if (after !== -1) setAt(after);
  }

  async function give() {
    await sender.flush();
    const fresh = queries.getQueryData<Detail>(queryKey("package_show", { path: { id: pkg.id } })) ?? pkg;
    handOver.mutate(
      { path: { id: pkg.id }, body: { revision: fresh.revision } },
      {
        onSuccess: (given) => {
          toasts.show(t("handedOver", { label: given.label }));
          void navigate(`/b/${slug}/packages/${pkg.id}`);
        },
        onError: (error) => {
          const [first] = missingIn(error);
          const index = pkg.items.findIndex((item) => item.id === first?.item_id);
          if (index !== -1) setAt(index);
        },
      },
    );
  }

  const canHandOver = pkg.available_actions.includes("package_hand_over");
  useActions(checkActions, {
    move: (step) => setAt(Math.min(pkg.items.length - 1, Math.max(0, at + step))),
    canTick: mayTick && current !== undefined && isWritten(current),
    tick: () => current && toggle(current, at),
    edit: () => current && void navigate(`/b/${slug}/work/${pkg.id}?item=${current.id}`),
    look: () => setLooking(true),
    canHandOver,
    handOver: () => void give(),
    leave: () => void navigate(`/b/${slug}/packages/${pkg.id}`),
  });

  if (!view) return <Empty title={pkg.label}>{t("unknownKind")}</Empty>;
  return (
    <Page
      title={t("check.title", { label: pkg.label })}
      lead={t("check.lead")}
      actions={
        canHandOver && (
          <Button
            look="primary"
            keys="Mod+Enter"
            busy={handOver.isPending}
            onClick={() => void give()}
            data-testid="hand-over"
          >
            {t("action.handOver")}
          </Button>
        )
      }
    >
      <div className="check-progress">
        <span className="number" data-testid="ticked">
          {t("check.ticked", { ticked, size: toRead.length })}
          {skipped > 0 && <span className="dim"> · {t("check.skipped", { number: skipped })}</span>}
        </span>
        <Meter value={ticked} of={toRead.length} label={t("column.checked")} />
      </div>
      {problem && <Problem error={problem} />}
      {handOver.error &&
        !(handOver.error.code === "not_all_checked" && missing.length === 0) &&
        (missing.length > 0 ? (
          <Notice tone="warn">
            <p>{t("missing.title", { number: missing.length })}</p>
            <ul className="check-missing" data-testid="missing">
              {missing.map((lack) => (
                <li key={lack.item_id}>
                  <button
                    type="button"
                    className="linklike"
                    onClick={() =>
                      setAt(
                        Math.max(
                          0,
                          pkg.items.findIndex((item) => item.id === lack.item_id),
                        ),
                      )
                    }
                  >
                    {pkg.items.find((item) => item.id === lack.item_id)?.label ?? lack.position}
                  </button>{" "}
                  {lack.reason === "not_written" ? t("missing.notWritten") : t("missing.notTicked")}
                </li>
              ))}
            </ul>
          </Notice>
        ) : (
          <Problem error={handOver.error} />
        ))}
      <ol className="sheet">
        {pkg.items.map((item, index) => (
          <CheckCard
            key={item.id}
            item={item}
            selected={index === at}
            ticked={isTicked(item)}
            canTick={mayTick && isWritten(item)}
            onSelect={() => setAt(index)}
            onTick={() => toggle(item, index)}
            onLook={() => {
              setAt(index);
              setLooking(true);
            }}
            edit={`/b/${slug}/work/${pkg.id}?item=${item.id}`}
          >
            {item.state === "skipped" ? (
              <Skipped item={item} slug={slug} lang={lang} />
            ) : item.content ? (
              <view.Reader content={item.content} lang={lang} findings={item.findings} reasons={item.reasons} />
            ) : (
              <p className="faint">{t("notWritten")}</p>
            )}
          </CheckCard>
        ))}
      </ol>
      {looking && current && <FullPicture image={current.image} onClose={() => setLooking(false)} />}
    </Page>
  );
}

interface CheckCardProps {
  item: WorkItem;
  selected: boolean;
  ticked: boolean;
  canTick: boolean;
  edit: string;
  onSelect: () => void;
  onTick: () => void;
  onLook: () => void;
  children: React.ReactNode;
}

function CheckCard({ item, selected, ticked, canTick, edit, onSelect, onTick, onLook, children }: CheckCardProps) {
  const { t } = useTranslation("packages");
  const card = useRef<HTMLLIElement>(null);
  const follow = useEffectEvent(() => card.current?.scrollIntoView({ block: "nearest" }));
  useEffect(() => {
    if (selected) follow();
  }, [selected]);
  return (
    <li
      ref={card}
      className={selected ? "sheet-card is-selected" : "sheet-card"}
      aria-current={selected}
      onClick={onSelect}
      data-testid={`check-${item.label}`}
    >
      <button
        type="button"
        className="sheet-picture"
        onClick={onLook}
        aria-label={t("look", { label: item.image.label })}
      >
        <img src={item.image.thumb_url} alt="" width={200} height={150} loading="lazy" decoding="async" />
      </button>
      <div>
        <p className="tiny">
          {item.label} {item.returned && <Chip tone="warn">{t("sentBack")}</Chip>}
        </p>
        {children}
      </div>
      <div className="sheet-buttons">
        {item.state === "skipped" ? (
          <Chip>{t("check.noTick")}</Chip>
        ) : (
          <Button
            small
            look={ticked ? undefined : "primary"}
            aria-pressed={ticked}
            disabled={!canTick}
            onClick={onTick}
            data-testid={`tick-${item.label}`}
          >
            {ticked ? `✓ ${t("ticked")}` : t("action.tick")}
          </Button>
        )}
        <Link className="button button-small" to={edit}>
          {t("action.edit")}
        </Link>
      </div>
    </li>
  );
}

interface Missing {
  item_id: number;
  position: number;
  reason: string;
}

/** The items a refused hand-over names. */
function missingIn(error: ApiError | null): Missing[] {
  const missing = error?.code === "not_all_checked" ? error.params.missing : undefined;
  return Array.isArray(missing) ? (missing as Missing[]) : [];
}
