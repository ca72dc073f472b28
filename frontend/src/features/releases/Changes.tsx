/** Changes since the previous release: entries that were added, removed or changed. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useContentLanguage, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { useList } from "@/api/queries";
import type { ReleaseDetail } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { TextDiff } from "@/item/TextDiff";
import { Chip, type Tone } from "@/ui/Chip";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { Empty } from "@/ui/Empty";
import { PagedList } from "@/ui/PagedList";
import { useFilters } from "@/ui/useFilters";
import styles from "./releases.module.css";

type ChangeRow = Answer<"release_changes">["results"][number];

/** In the order of interest. */
const CHANGES = ["changed", "added", "removed"] as const satisfies readonly ChangeRow["change"][];
const TONES: Readonly<Record<ChangeRow["change"], Tone>> = { added: "good", changed: "warn", removed: "bad" };

export function Changes({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  const slug = useSlug();
  const filters = useFilters({ replace: true });
  const own = release.by_kind.find((one) => one.kind === filters.get("kind")) ?? release.by_kind.find((one) => one.changes !== null);
  const counts = own?.changes ?? null;
  const change = filters.oneOf("changes", CHANGES) ?? CHANGES.find((one) => (counts?.[one] ?? 0) > 0) ?? "changed";
  const previous = own?.previous ?? null;
  const isEmpty = counts !== null && CHANGES.every((one) => counts[one] === 0);
  const lang = useContentLanguage(slug);
  const list = useList("release_changes", { path: { id: release.id }, query: { change, kind: own?.kind } });
  return (
    <section aria-labelledby="changes" data-testid="changes">
      <h2 id="changes" className="visually-hidden">
        {t("changes.title")}
      </h2>
      {release.by_kind.length > 1 && (
        <ChoiceChips
          label={t("kinds.title")}
          value={own?.kind}
          onChoose={(kind) => filters.set({ kind })}
          choices={release.by_kind.map(({ kind }) => ({ value: kind, text: t(`ui:kind.${kind}`), testId: `changes-kind-${kind}` }))}
        />
      )}
      <p className={`dim ${styles.changesLead}`}>
        {previous === null ? (
          t("changes.first")
        ) : (
          <>
            {t("changes.against")} <Link to={`/b/${slug}/releases/${previous.id}`}>{previous.label}</Link>
          </>
        )}
      </p>
      <ChoiceChips
        className={styles.changesFilter}
        label={t("changes.filter")}
        value={change}
        onChoose={(one) => filters.set({ changes: one })}
        choices={CHANGES.map((one) => ({ value: one, text: t(`changes.${one}`), count: counts?.[one], testId: `changes-${one}` }))}
      />
      <PagedList
        of={list}
        empty={<Empty title={t(isEmpty ? "changes.none" : "changes.empty")}>{t(isEmpty ? "changes.noneText" : "changes.emptyText")}</Empty>}
      >
        {(rows) => (
          <ul className={styles.changesList}>
            {rows.map((row) => (
              <Row key={`${row.change}-${row.label}`} row={row} lang={lang} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function Row({ row, lang }: { row: ChangeRow; lang: string | undefined }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  const from = row.previous_revision;
  const to = row.revision;
  return (
    <li className="card" data-testid={`change-${row.label}`} data-change={row.change}>
      <img src={row.image.thumb_url} alt={row.image.label} width={72} height={54} loading="lazy" decoding="async" />
      <div>
        <p>
          <b>{row.label}</b> <Chip tone={TONES[row.change]}>{t(`changes.${row.change}`)}</Chip>{" "}
          <span className="tiny">
            {from !== null && to !== null && from !== to
              ? t("changes.revisions", { from, to })
              : t("changes.revision", { number: to ?? from ?? 0 })}
            {row.errata.length > 0 && ` · ${t("changes.corrects", { list: format.list(row.errata.map(String)) })}`}
          </span>
        </p>
        <Text row={row} lang={lang} />
      </div>
    </li>
  );
}

function Text({ row, lang }: { row: ChangeRow; lang: string | undefined }) {
  const { t } = useTranslation("releases");
  const [before, after] = [row.previous_text ?? "", row.first_text ?? ""];
  if (before !== after) return <TextDiff before={before} after={after} lang={row.language?.lang ?? lang} dir={row.language?.dir ?? "auto"} />;
  return (
    <>
      <p lang={row.language?.lang ?? lang} dir={row.language?.dir ?? "auto"}>
        {after}
      </p>
      <p className="tiny">{t("changes.elsewhere")}</p>
    </>
  );
}
