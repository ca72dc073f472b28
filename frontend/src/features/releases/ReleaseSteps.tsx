/** The steps of a release, and below them what the next step requires and changes. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { stepsOf } from "./releaseSteps";
import { Confirmation } from "./Confirmation";
import type { Move } from "./useMove";
import { Withdraw } from "./Withdraw";
import styles from "./releases.module.css";

/** The open confirmation. */
export type Confirming = "freeze" | "publish" | "withdraw" | null;

export interface Moves {
  check: Move;
  reopen: Move;
  freeze: Move;
  write: Move;
  publish: Move;
}

/** What may be done now: the page's keys and its buttons are decided in one place. */
export type Can = Readonly<Record<keyof Moves | "withdraw" | "edit", boolean>>;

export function ReleaseSteps({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  return (
    <ol className={styles.steps} aria-label={t("steps.title")} data-testid="release-steps">
      {stepsOf(release).map(({ state, status, at }, index) => (
        <li key={state} data-status={status} aria-current={status === "current" ? "step" : undefined} data-testid={`step-${state}`}>
          <span className={styles.stepMark} aria-hidden="true">
            {status === "done" ? "✓" : state === "withdrawn" ? "✕" : index + 1}
          </span>
          <span className={styles.stepName}>
            <b>{t(`ui:releaseState.${state}`)}</b>
            <span className="tiny">{at === null ? t(status === "skipped" ? "steps.never" : "steps.ahead") : <Time at={at} />}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

export function NextStep({
  release,
  can,
  moves,
  confirming,
  onConfirming,
  onEdit,
}: {
  release: ReleaseDetail;
  can: Can;
  moves: Moves;
  confirming: Confirming;
  onConfirming: (confirming: Confirming) => void;
  onEdit: () => void;
}) {
  const { t } = useTranslation("releases");
  const content =
    release.images === null ? t("itemCount", { count: release.items }) : t("content", { items: release.items, images: release.images });
  const what = { label: release.label, content };
  const cancel = () => {
    for (const move of Object.values(moves) as Move[]) move.reset();
    onConfirming(null);
  };
  if (confirming === "withdraw" && can.withdraw) {
    return (
      <section className="card" data-testid="next">
        <Withdraw release={release} onClose={() => onConfirming(null)} />
      </section>
    );
  }
  const pending = (confirming === "freeze" && can.freeze) || (confirming === "publish" && can.publish) ? confirming : null;
  if (pending !== null) {
    return (
      <section className="card" data-testid="next">
        <Confirmation
          title={t(`${pending}.ask`, what)}
          go={t(`${pending}.go`)}
          busy={moves[pending].busy}
          error={moves[pending].error}
          onConfirm={() => moves[pending].go(() => onConfirming(null))}
          onCancel={cancel}
          testId={pending}
        >
          <p>{t(`${pending}.text`, what)}</p>
          <p>
            <b>{t("irreversible")}</b>
          </p>
        </Confirmation>
      </section>
    );
  }
  const error = moves.check.error ?? moves.reopen.error;
  return (
    <section className={`card ${styles.nextStep}`} data-testid="next">
      <h2>{t(`next.${release.state}.title`)}</h2>
      <p className="dim">{t(`next.${release.state}.text`, what)}</p>
      {release.state === "withdrawn" && release.withdrawn_reason !== "" && (
        <blockquote className={styles.withdrawnReason} data-testid="withdrawn-reason">
          {release.withdrawn_reason}
        </blockquote>
      )}
      <Hint release={release} can={can} />
      {error && <Problem error={error} />}
      <Buttons>
        {can.check && (
          <Button look="primary" keys="c" busy={moves.check.busy} onClick={() => moves.check.go()} data-testid="check">
            {t("next.draft.go")}
          </Button>
        )}
        {release.available_actions.includes("release_freeze") && (
          <Button look="primary" keys="f" disabled={!can.freeze} onClick={() => onConfirming("freeze")} data-testid="freeze">
            {t("next.checked.go")}
          </Button>
        )}
        {release.available_actions.includes("release_publish") && (
          <Button look="primary" keys="p" disabled={!can.publish} onClick={() => onConfirming("publish")} data-testid="publish">
            {t("next.frozen.go")}
          </Button>
        )}
        {can.edit && (
          <Button keys="e" onClick={onEdit} data-testid="edit">
            {t("settings.open")}
          </Button>
        )}
        {can.reopen && (
          <Button keys="o" busy={moves.reopen.busy} onClick={() => moves.reopen.go()} data-testid="reopen">
            {t("next.checked.reopen")}
          </Button>
        )}
        {can.withdraw && (
          <Button look="danger" onClick={() => onConfirming("withdraw")} data-testid="withdraw-open">
            {t("withdraw.open")}
          </Button>
        )}
      </Buttons>
    </section>
  );
}

function Buttons({ children }: { children: readonly ReactNode[] }) {
  return children.some(Boolean) ? <div className="row-actions">{children}</div> : null;
}

/** Why the next step is not open now. */
function Hint({ release, can }: { release: ReleaseDetail; can: Can }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  if (release.covered_pictures > 0) {
    return <Notice tone="warn">{t("next.covered", { count: release.covered_pictures })}</Notice>;
  }
  if (release.state === "checked" && release.gates.length > 0) {
    return <Notice tone="warn">{t("next.checked.gatesFail")}</Notice>;
  }
  if (release.state === "frozen" && !can.publish && release.missing_files.length > 0) {
    return (
      <p className="dim" data-testid="missing-files">
        {t("next.frozen.missing", { count: release.missing_files.length })}<Gap /><span className="mono">{format.list(release.missing_files)}</span>
      </p>
    );
  }
  return null;
}
