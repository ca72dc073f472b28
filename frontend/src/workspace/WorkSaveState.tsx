/** Whether everything typed is saved, with links to entries that need a decision. */
import { useTranslation } from "react-i18next";
import { SaveState } from "@/ui/SaveState";
import type { SaveStatus } from "./saving/status";

interface WorkSaveStateProps {
  status: SaveStatus;
  /** Opens the item with the conflict or the refusal. */
  onOpen: () => void;
}

export function WorkSaveState({ status, onOpen }: WorkSaveStateProps) {
  const { t } = useTranslation("workspace");
  switch (status.name) {
    case "saved":
    case "saving":
      return <SaveState state={status.name} />;
    case "offline":
      return <SaveState state="offline" waiting={status.waiting} />;
    case "conflict":
      return <SaveState state="conflict" onOpen={onOpen} />;
    case "refused":
      return (
        <button
          type="button"
          className="button button-plain savestate savestate-conflict"
          onClick={onOpen}
          data-testid="save-state"
          data-state="refused"
        >
          {t("save.refused", { number: status.count })}
        </button>
      );
    case "unconfirmed":
      return (
        <span className="savestate savestate-offline" role="status" data-testid="save-state" data-state="unconfirmed">
          {t("save.guideline", { number: status.count })}
        </span>
      );
    case "signed_out":
      return (
        <span className="savestate savestate-offline" role="status" data-testid="save-state" data-state="signed_out">
          {t("save.signedOut", { number: status.waiting })}
        </span>
      );
  }
}
