/** The end of a package's sheet: completing it, and who judges it instead while it is in a pool. */
import { useTranslation } from "react-i18next";
import { poolsIn, useBenchmark, useSlug, type PoolPurpose } from "@/api/benchmark";
import { useMay } from "@/api/session";
import type { Package } from "@/api/types";
import { Button, ButtonLink } from "@/ui/Button";
import { Notice } from "@/ui/Notice";

interface SheetEndOptions {
  mayComplete: boolean;
  sheet: { open: number; selectOpen: () => void; queue: { flush: () => Promise<boolean> } };
  complete: () => void;
}

/** Completing sends every verdict first; the key pressed too early shows what is left instead. */
export function useSheetEnd({ mayComplete, sheet, complete }: SheetEndOptions) {
  const canComplete = mayComplete && sheet.open === 0;
  const finish = () => void sheet.queue.flush().then((isAllSent) => isAllSent && complete());
  return { mayComplete, canComplete, finish, key: canComplete ? finish : mayComplete ? sheet.selectOpen : null };
}

interface EndButtonsProps {
  end: ReturnType<typeof useSheetEnd>;
  label: string;
  busy: boolean;
  testId: string;
}

export function CompleteButton({ end, label, busy, testId }: EndButtonsProps) {
  if (!end.mayComplete) return null;
  return (
    <Button small look="primary" keys="Mod+Enter" disabled={!end.canComplete} busy={busy} onClick={end.finish} data-testid={testId}>
      {label}
    </Button>
  );
}

export function UndoButton({ sheet }: { sheet: { canUndo: boolean; undo: () => void } }) {
  const { t } = useTranslation("quality");
  return (
    <Button small keys="z" disabled={!sheet.canUndo} onClick={sheet.undo} data-testid="undo">
      {t("action.undo")}
    </Button>
  );
}

interface WhoJudgesProps {
  pkg: Pick<Package, "kind">;
  purpose: PoolPurpose;
  /** Whether no one in particular judges this package. */
  isFree: boolean;
  mayJudge: boolean;
}

/** Says that the items are judged out of a pool, or that the person may only read. */
export function WhoJudges({ pkg, purpose, isFree, mayJudge }: WhoJudgesProps) {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const may = useMay(slug);
  const pools = poolsIn(useBenchmark(slug).data?.protocol.content);
  const texts = purpose === "inspection" ? "inspect" : "review";
  if (isFree && pools.includes(purpose)) {
    const link = may("pool_claim") && (
      <ButtonLink small to={`/b/${slug}/pools/${purpose}?kind=${pkg.kind}`}>
        {t(`pool.go.${purpose}`)}
      </ButtonLink>
    );
    return <Notice action={link}>{t(`${texts}.pooled`)}</Notice>;
  }
  return mayJudge ? null : <Notice>{t(`${texts}.onlyReading`)}</Notice>;
}
