/** Why the server would not take the package: the items that are not written or not ticked. */
import { useTranslation } from "react-i18next";
import type { ApiError } from "@/api/errors";
import type { WorkItem } from "@/api/types";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import styles from "../packages.module.css";

interface MissingItem {
  item_id: number;
  position: number;
  reason: string;
}

/** The items that the server names when it refuses the package. */
export function missingIn(error: ApiError | null): MissingItem[] {
  const missing = error?.code === "not_all_checked" ? error.params.missing : undefined;
  return Array.isArray(missing) ? (missing as MissingItem[]) : [];
}

interface MissingProps {
  error: ApiError;
  items: readonly WorkItem[];
  /** Whether the item is complete by now. */
  isDone: (item: WorkItem) => boolean;
  onSelect: (id: number) => void;
}

export function Missing({ error, items, isDone, onSelect }: MissingProps) {
  const { t } = useTranslation("packages");
  // Items completed since the refusal leave the list.
  const missing = missingIn(error).flatMap((one) => {
    const item = items.find(({ id }) => id === one.item_id);
    return item && !isDone(item) ? [{ ...one, item }] : [];
  });
  if (missing.length === 0) return error.code === "not_all_checked" ? null : <Problem error={error} />;
  return (
    <Notice tone="warn">
      <p>{t("missing.title", { count: missing.length })}</p>
      <ul className={styles.checkMissing} data-testid="missing">
        {missing.map(({ item, reason }) => (
          <li key={item.id}>
            <button type="button" className="linklike" onClick={() => onSelect(item.id)}>
              {item.label}
            </button>{" "}
            {reason === "not_written" ? t("missing.notWritten") : t("missing.notTicked")}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
