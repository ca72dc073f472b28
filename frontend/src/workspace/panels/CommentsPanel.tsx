/** Comments on the open item, beside its fields. */
import { useTranslation } from "react-i18next";
import { Comments } from "@/item/Comments";
import { Button } from "@/ui/Button";
import { useActions } from "@/ui/keys";
import type { QueuedItem } from "../queue/workQueue";
import { commentsPanelActions } from "./actions";

interface CommentsPanelProps {
  item: QueuedItem;
  onCount: (count: number) => void;
  onClose: () => void;
}

export function CommentsPanel({ item, onCount, onClose }: CommentsPanelProps) {
  const { t } = useTranslation("workspace");
  useActions(commentsPanelActions, { close: onClose });
  return (
    <section aria-labelledby="comments-title">
      <header>
        <h2 id="comments-title">{t("comments", { label: item.label })}</h2>
        <Button small look="plain" keys="Escape" onClick={onClose}>
          {t("ui:close")}
        </Button>
      </header>
      <Comments itemId={item.id} focus onLeave={onClose} onCount={onCount} />
    </section>
  );
}
