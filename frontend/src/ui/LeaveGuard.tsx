/** Asks before a page is left on which something is not saved: by a link, the way back, reloading or closing. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useBlocker } from "react-router";
import { Button } from "./Button";
import { Modal } from "./Modal";

interface LeaveGuardProps {
  /** Whether something would be lost. */
  when: boolean;
  /** What would be. */
  text: string;
}

export function LeaveGuard({ when, text }: LeaveGuardProps) {
  const { t } = useTranslation("ui");
  const blocker = useBlocker(({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    if (!when) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [when]);
  if (blocker.state !== "blocked") return null;
  return (
    <Modal onClose={() => blocker.reset()} label={t("leave.title")} className="card leave-guard" testId="leave-guard">
      <h2>{t("leave.title")}</h2>
      <p>{text}</p>
      <div className="row-actions">
        <Button look="primary" onClick={() => blocker.reset()} data-first-focus="" data-testid="leave-stay">
          {t("leave.stay")}
        </Button>
        <Button onClick={() => blocker.proceed()} data-testid="leave-go">
          {t("leave.go")}
        </Button>
      </div>
    </Modal>
  );
}
