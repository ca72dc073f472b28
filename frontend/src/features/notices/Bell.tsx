/** The bell in the frame: how much is new, and the newest ten. Looked for each minute while the page is visible. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useRead, useWrite } from "@/api/queries";
import { Menu, type MenuEntry } from "@/ui/Menu";
import { Time } from "@/ui/Time";
import { countInTitle } from "@/ui/title";
import { useNoticePage, type NoticeRow } from "./target";
import { useSentence } from "./useSentence";
import styles from "./notices.module.css";

const EVERY_MS = 60_000;
/** The bell's request; the page of all notices invalidates it. */
export const NEWEST = { query: { page_size: 10 } };

export function Bell() {
  const { t } = useTranslation("notices");
  const navigate = useNavigate();
  const client = useQueryClient();
  const list = useRead("notice_list", NEWEST, { refetchInterval: EVERY_MS });
  const read = useWrite("notice_read");
  const pageOf = useNoticePage();
  const unread = list.data?.unread ?? 0;
  const rows = list.data?.results ?? [];

  useEffect(() => {
    countInTitle(unread);
    return () => countInTitle(0);
  }, [unread]);

  function open(notice: NoticeRow) {
    if (notice.read_at === null) read.mutate({ body: { ids: [notice.id] } });
    const page = pageOf(notice);
    if (page === null) return;
    // The page may be open already, as it was before what the notice is about.
    void client.invalidateQueries();
    void navigate(page);
  }
  const newest = rows[0];
  const entries: MenuEntry[] = rows.map((notice) => ({
    key: notice.id,
    text: <NoticeLine notice={notice} />,
    onChoose: () => open(notice),
    testId: `notice-${notice.code}`,
  }));
  if (unread > 0 && newest) {
    entries.push({ key: "read", text: t("readAll"), onChoose: () => read.mutate({ body: { up_to: newest.id } }), testId: "notices-read" });
  }
  entries.push({ key: "all", text: t("all"), onChoose: () => void navigate("/notices"), testId: "notices-all" });
  return (
    <span className={styles.bell}>
      <Menu
        label={t("bell", { count: unread })}
        text={<Mark unread={unread} />}
        heading={rows.length === 0 ? t("empty.text") : t("title")}
        entries={entries}
        onOpen={() => void list.refetch()}
        right
        wide
        testId="bell"
      />
    </span>
  );
}

function NoticeLine({ notice }: { notice: NoticeRow }) {
  const { t } = useTranslation("notices");
  const sentence = useSentence();
  const isNew = notice.read_at === null;
  return (
    <span className={isNew ? `${styles.noticeLine} ${styles.isNew}` : styles.noticeLine}>
      <span>
        {isNew && <span className="visually-hidden">{t("new")} </span>}
        {sentence(notice)}
      </span>
      <span className="tiny">
        <Time at={notice.created_at} />
      </span>
    </span>
  );
}

function Mark({ unread }: { unread: number }) {
  return (
    <span className={styles.bellMark}>
      <svg viewBox="0 0 16 16" width={15} height={15} aria-hidden="true" style={{ verticalAlign: -3 }}>
        <path
          d="M8 1.6a4 4 0 0 0-4 4v2.9L2.6 11.4h10.8L12 8.5V5.6a4 4 0 0 0-4-4ZM6.4 13a1.7 1.7 0 0 0 3.2 0"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.3"
          strokeLinejoin="round"
        />
      </svg>
      {unread > 0 && (
        <span className={styles.bellNumber} aria-hidden="true" data-testid="unread">
          {unread > 99 ? "99+" : unread}
        </span>
      )}
    </span>
  );
}
