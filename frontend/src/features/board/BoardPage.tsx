/** The category board: a person's own proposals and, once they are submitted, everyone's with every decision. */
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { CategoryBoard } from "@/api/types";
import { Chip } from "@/ui/Chip";
import { ButtonLink } from "@/ui/Button";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Decisions } from "./Decisions";
import { Proposals } from "./Proposals";
import styles from "./board.module.css";

/** Two curators see each other's decisions without reloading. */
const POLL_MS = 5_000;

export function BoardPage() {
  const { t } = useTranslation("board");
  const slug = useSlug();
  const board = useRead("category_board_show", { path: { b: slug } }, { refetchInterval: POLL_MS });
  return (
    <Page title={t("title")} lead={t("lead")} actions={<ButtonLink to={`/b/${slug}/protocol/lists`}>{t("lists")}</ButtonLink>}>
      <Loaded of={board}>{(data) => <Board slug={slug} board={data} />}</Loaded>
    </Page>
  );
}

function Board({ slug, board }: { slug: string; board: CategoryBoard }) {
  const { t } = useTranslation("board");
  const actions = board.available_actions;
  const proposes = actions.includes("category_board_draft") && board.draft.submitted_at === null;
  const decides = !board.is_hidden;
  const isTooLate = board.state === "frozen" && board.draft.submitted_at === null && board.draft.rows.length > 0;
  return (
    <div className={styles.screen}>
      <p>
        <Chip tone={board.state === "frozen" ? "good" : undefined}>{board.state === "frozen" ? t("frozen", { version: board.version }) : t("open")}</Chip>{" "}
        {board.draft.submitted_at !== null && <Chip tone="good">{t("submitted")}</Chip>}
      </p>
      {isTooLate && <Notice tone="warn">{t("draft.tooLate", { count: board.draft.rows.length })}</Notice>}
      {board.is_hidden && <Notice>{t(board.draft.rows.length > 0 && !proposes ? "hiddenCurator" : "hidden")}</Notice>}
      {decides && <Decisions slug={slug} board={board} />}
      {proposes && <Proposals slug={slug} board={board} />}
    </div>
  );
}
