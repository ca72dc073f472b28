/** A bulk action from its field over the preview to the result: nothing changes before the preview is confirmed. */
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRead, useWrite } from "@/api/queries";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Problem, useErrorText } from "@/ui/Problem";
import { isPreview, isWorking, preparation, type Bulk, type BulkAction, type BulkValue, type Rows } from "./actions";
import { Given } from "./Given";
import { panelActions } from "./panelActions";
import { useReadAll } from "./useChoice";
import styles from "./bulk.module.css";

interface BulkPanelProps {
  slug: string;
  action: BulkAction;
  rows: Rows;
  className?: string | undefined;
  onClose: () => void;
}

/** Not modal, because lists of people and categories open beside it; the keys of the page do nothing meanwhile. */
export function BulkPanel({ slug, action, rows, className = "", onClose }: BulkPanelProps) {
  const { t } = useTranslation("bulk");
  const title = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [id, setId] = useState<number | null>(null);
  useActions(panelActions, { close: onClose }, { exclusive: true });
  useEffect(() => heading.current?.focus(), [id]);
  return (
    <section
      className={`card ${styles.panel} ${className}`}
      role="dialog"
      aria-labelledby={title}
      data-testid="bulk-panel"
    >
      <h2 id={title} ref={heading} tabIndex={-1}>
        {t(`action.${action.action}.title`)}
      </h2>
      {id === null ? <Ask slug={slug} action={action} rows={rows} onPrepared={setId} onClose={onClose} /> : <Follow id={id} slug={slug} onAgain={() => setId(null)} onClose={onClose} />}
    </section>
  );
}

function Ask({ slug, action, rows, onPrepared, onClose }: BulkPanelProps & { onPrepared: (id: number) => void }) {
  const { t } = useTranslation("bulk");
  const [value, setValue] = useState<BulkValue>();
  const prepare = useWrite("bulk_prepare");
  const isReady = action.isOptional === true || (value !== undefined && String(value).trim() !== "");
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        prepare.mutate({ path: { b: slug }, body: preparation(action, rows, value) }, { onSuccess: (bulk) => onPrepared(bulk.id) });
      }}
    >
      <p className="dim">{t(`action.${action.action}.text`)}</p>
      {action.field(value, setValue)}
      {prepare.error && <Problem error={prepare.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={prepare.isPending} disabled={!isReady} data-testid="bulk-preview">
          {t("preview")}
        </Button>
        <Button onClick={onClose}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}

/** The preview, the progress or the result. */
function Follow({ id, slug, onAgain, onClose }: { id: number; slug: string; onAgain: () => void; onClose: () => void }) {
  const path = { id };
  const bulk = useRead("bulk_show", { path }, { refetchInterval: (answer) => (answer && isWorking(answer as Bulk) ? 1000 : false) });
  const apply = useWrite("bulk_apply");
  const undo = useWrite("bulk_undo");
  const readAll = useReadAll();
  const state = bulk.data?.state;
  const before = useRef(state);
  useEffect(() => {
    if ((before.current === "running" || before.current === "undoing") && state !== before.current) readAll();
    before.current = state;
  }, [state, readAll]);
  const error = apply.error ?? undo.error ?? bulk.error;
  const isBusy = apply.isPending || undo.isPending;
  if (!bulk.data) return bulk.error ? <Problem error={bulk.error} onRetry={() => void bulk.refetch()} /> : <Meter value={0} of={1} label="" />;
  return (
    <div className="form">
      <Given of={bulk.data} slug={slug} />
      <Outcome bulk={bulk.data} />
      {error && <Problem error={error} />}
      <Buttons bulk={bulk.data} isBusy={isBusy} onApply={() => apply.mutate({ path })} onUndo={() => undo.mutate({ path })} onAgain={onAgain} onClose={onClose} />
    </div>
  );
}

function Outcome({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation("bulk");
  const format = useFormat();
  const errorText = useErrorText();
  const { pending, refused, done, undone, kept } = bulk.counts;
  const isPreparing = bulk.state === "preparing";
  const all = isPreparing ? bulk.rows : pending + done + undone + kept;
  const finished = isPreparing ? pending + refused : bulk.state === "undoing" ? undone + kept : done;
  return (
    <>
      <div aria-live="polite" data-testid="bulk-outcome">
        {bulk.state === "prepared" && (
          <p>
            {t("can", { count: pending })}<Gap />{refused > 0 && t("cannot", { count: refused })}
          </p>
        )}
        {isWorking(bulk) && <p>{t(isPreparing ? "preparing" : "working", { done: format.number(finished), all: format.number(all) })}</p>}
        {(bulk.state === "done" || bulk.state === "stopped") && (
          <p>
            {t("done", { count: done })}<Gap />{refused > 0 && t("refused", { count: refused })}
          </p>
        )}
        {bulk.state === "undone" && (
          <p>
            {t("undone", { count: undone })}<Gap />{kept > 0 && t("kept", { count: kept })}
          </p>
        )}
      </div>
      {isWorking(bulk) && <Meter value={finished} of={all} label={t("progress")} />}
      {(bulk.state === "stopped" || bulk.state === "failed") && bulk.error_code !== "" && <Problem error={{ code: bulk.error_code }} />}
      {bulk.state === "prepared" && !bulk.undoable && pending > 0 && <Notice tone="warn">{t("forGood")}</Notice>}
      {bulk.state === "prepared" && bulk.examples.length > 0 && <p className="dim">{t("examples", { examples: bulk.examples.join(", ") })}</p>}
      {bulk.reasons.length > 0 && !isWorking(bulk) && (
        <ul className={styles.reasons} data-testid="bulk-reasons">
          {bulk.reasons.map((reason) => (
            <li key={`${reason.code} ${JSON.stringify(reason.params)}`}>
              <b className="number">{reason.count}</b>{" "}
              {reason.code === "action_not_allowed" ? t("inState", { state: t(`ui:${bulk.target}State.${String(reason.params.state)}`) }) : errorText(reason)} <span className="dim">{reason.examples.join(", ")}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface ButtonsProps {
  bulk: Bulk;
  isBusy: boolean;
  onApply: () => void;
  onUndo: () => void;
  onAgain: () => void;
  onClose: () => void;
}

function Buttons({ bulk, isBusy, onApply, onUndo, onAgain, onClose }: ButtonsProps) {
  const { t } = useTranslation("bulk");
  const can = (operation: string) => bulk.available_actions.includes(operation);
  return (
    <div className="row-actions">
      {can("bulk_apply") && bulk.counts.pending > 0 && (
        <Button look={bulk.undoable ? "primary" : "danger"} busy={isBusy} onClick={onApply} data-testid="bulk-apply">
          {t(`action.${bulk.action}.go`, { count: bulk.counts.pending })}
        </Button>
      )}
      {can("bulk_undo") && bulk.counts.done > 0 && (
        <Button busy={isBusy} onClick={onUndo} data-testid="bulk-undo">
          {t("undo")}
        </Button>
      )}
      {isPreview(bulk) && <Button onClick={onAgain}>{t("back")}</Button>}
      <Button onClick={onClose} data-testid="bulk-close">
        {t(isPreview(bulk) ? "ui:cancel" : "ui:close")}
      </Button>
    </div>
  );
}
