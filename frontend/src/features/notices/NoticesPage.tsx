/** A person's notices, newest first, each linked to its object. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryKey, useList, useWrite } from "@/api/queries";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { Time } from "@/ui/Time";
import { useFilters } from "@/ui/useFilters";
import { NEWEST } from "./Bell";
import { useNoticePage, type NoticeRow } from "./target";
import { useSentence } from "./useSentence";
import styles from "./notices.module.css";

export function NoticesPage() {
  const { t } = useTranslation("notices");
  const filters = useFilters({ replace: true });
  const onlyNew = filters.get("unread") === "true";
  const list = useList("notice_list", { query: { ...(onlyNew ? { unread: true } : {}), page_size: 50 } });
  const read = useWrite("notice_read");
  const unread = list.data?.pages[0]?.unread ?? 0;
  // The bell shows the same number.
  const client = useQueryClient();
  useEffect(() => void client.invalidateQueries({ queryKey: queryKey("notice_list", NEWEST) }), [client, unread]);
  const newest = list.rows[0];
  return (
    <Page
      title={t("title")}
      lead={t("lead")}
      narrow
      actions={
        unread > 0 &&
        newest && (
          <Button busy={read.isPending} onClick={() => read.mutate({ body: { up_to: newest.id } })} data-testid="read-all">
            {t("readAll")}
          </Button>
        )
      }
    >
      <ChoiceChips<"true" | undefined>
        className={styles.noticesFilter}
        label={t("filter")}
        value={onlyNew ? "true" : undefined}
        onChoose={(one) => filters.set({ unread: one })}
        choices={[
          { value: undefined, text: t("everything") },
          { value: "true", text: t("onlyNew", { count: unread }) },
        ]}
      />
      <PagedList of={list} empty={<Empty title={onlyNew ? t("empty.new") : t("empty.title")}>{t("empty.text")}</Empty>}>
        {(rows) => (
          <ul className={styles.notices} data-testid="notices">
            {rows.map((notice) => (
              <Line
                key={notice.id}
                notice={notice}
                onOpen={() => {
                  if (notice.read_at === null) read.mutate({ body: { ids: [notice.id] } });
                }}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}

function Line({ notice, onOpen }: { notice: NoticeRow; onOpen: () => void }) {
  const { t } = useTranslation("notices");
  const sentence = useSentence();
  const name = useLocalised();
  const page = useNoticePage()(notice);
  const isNew = notice.read_at === null;
  return (
    <li className={isNew ? styles.isNew : undefined}>
      <span className={styles.noticesText}>
        {isNew && <span className="visually-hidden">{t("new")} </span>}
        {page === null ? (
          sentence(notice)
        ) : (
          <Link to={page} onClick={onOpen}>
            {sentence(notice)}
          </Link>
        )}
      </span>
      <span className="tiny">
        {notice.benchmark && `${name(notice.benchmark.title)} · `}
        <Time at={notice.created_at} />
      </span>
    </li>
  );
}
