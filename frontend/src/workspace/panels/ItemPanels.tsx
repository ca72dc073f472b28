/**
 * The panels beside the task: the guideline with the rules, leaving an item out with a reason, and comments on
 * it. One at a time; they are fetched once the person is at work, so the first key of the day does not wait for them, and
 * a key pressed right after the one that opens a panel is not typed into the text.
 */
import { lazy, Suspense, useEffect, useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import type { WorkRules } from "@/api/types";
import type { Why } from "@/item/Reasons";
import type { KindView } from "@/kinds/kind";
import { languageOf } from "@/kinds/tree";
import { Boundary } from "@/ui/Boundary";
import { Button } from "@/ui/Button";
import { isTextField, useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Loading } from "@/ui/Loading";
import type { QueuedItem, WorkGuideline } from "../queue/workQueue";
import { panelActions, type PanelName } from "./actions";
import workspaceStyles from "../workspace.module.css";

const fetched = {
  guidelines: () => import("./GuidelinePanel"),
  skip: () => import("./SkipPanel"),
  comments: () => import("./CommentsPanel"),
};
const GuidelinePanel = lazy(async () => ({ default: (await fetched.guidelines()).GuidelinePanel }));
const SkipPanel = lazy(async () => ({ default: (await fetched.skip()).SkipPanel }));
const CommentsPanel = lazy(async () => ({ default: (await fetched.comments()).CommentsPanel }));

/** Time after which the person is at work, in milliseconds: the first picture is there by then. */
const AT_WORK_MS = 1_500;

const SCROLLING: ReadonlySet<string> = new Set(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]);

interface ItemPanelsProps {
  slug: string;
  kind: string;
  rules: WorkRules;
  view: KindView;
  /** The open item; null when everything is written. */
  item: QueuedItem | null;
  /** Whether the item still wants a text; one whose text is on its way does not. */
  canSkip: boolean;
  /** Null where the kind has no guideline. */
  guideline: WorkGuideline | null;
  /** Changes whenever the task beside it starts again: what is open stays above it. */
  task: string;
  open: PanelName | null;
  onOpen: (name: PanelName | null) => void;
  /** The person has acknowledged this version: submissions carry it from now on, and those refused for want of it go out. */
  onAcknowledged: (version: number) => void;
  /** The open item cannot be written, for this reason. */
  onSkip: (why: Why) => void;
  /** The server's newer knowledge of the open item, e.g. how many comments it has. */
  onAmended: (change: Partial<QueuedItem>) => void;
}

/** The keys that open them: below those of the task, which come first at the foot too. */
export function PanelKeys({ item, canSkip, open, onOpen }: Pick<ItemPanelsProps, "item" | "canSkip" | "open" | "onOpen">) {
  useActions(panelActions, {
    canSkip,
    hasItem: item !== null,
    open,
    toggle: (name) => onOpen(open === name ? null : name),
  });
  return null;
}

export function ItemPanels(props: ItemPanelsProps) {
  const { item, canSkip, guideline, open, onOpen } = props;
  const { t } = useTranslation("workspace");
  const asks = guideline?.acknowledged === false;
  const shown = open === null ? (asks ? "guidelines" : null) : open === "skip" && !canSkip ? null : open;

  useEffect(() => {
    const timer = setTimeout(() => {
      for (const fetch of Object.values(fetched)) void fetch().catch(() => undefined); // offline: asked again when opened
    }, AT_WORK_MS);
    return () => clearTimeout(timer);
  }, []);

  // A panel that closes gives the focus back to where the typing was; asked before a panel that is loaded already takes it.
  useLayoutEffect(() => {
    if (shown === null) return;
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [shown]);

  if (shown === null) return null;
  return (
    <aside
      className={workspaceStyles.workspacePanel}
      tabIndex={0}
      aria-label={t(`action.${shown}`)}
      onKeyDown={(event) => {
        // A reader scrolls with the keys that walk through the fields elsewhere.
        if (SCROLLING.has(event.key) && !isTextField(event.target)) event.stopPropagation();
      }}
      data-testid={`panel-${shown}`}
    >
      <Boundary key={shown} failed={() => <NotFetched onClose={() => onOpen(null)} />}>
        <Suspense fallback={<Loading />}>
          {shown === "guidelines" && (
            <GuidelinePanel {...props} key={guideline?.version ?? 0} asks={asks} onClose={() => onOpen(null)} />
          )}
          {shown === "skip" && item && (
            <SkipPanel
              key={item.id}
              reasons={props.rules.skip_reasons}
              lang={languageOf(props.rules.content)}
              onSkip={props.onSkip}
              onClose={() => onOpen(null)}
            />
          )}
          {shown === "comments" && item && (
            <CommentsPanel
              key={item.id}
              item={item}
              onCount={(comments) => props.onAmended({ comments })}
              onClose={() => onOpen(null)}
            />
          )}
        </Suspense>
      </Boundary>
    </aside>
  );
}

/** In place of a panel that did not come: the task beside it continues. */
function NotFetched({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("workspace");
  return (
    <section data-testid="panel-not-fetched">
      <Notice tone="warn">{t("panel.notFetched")}</Notice>
      <div className="row-actions">
        <Button look="primary" onClick={() => window.location.reload()}>
          {t("app:reload")}
        </Button>
        <Button onClick={onClose}>{t("ui:close")}</Button>
      </div>
    </section>
  );
}
