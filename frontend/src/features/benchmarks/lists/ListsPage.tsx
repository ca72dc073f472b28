/** The lists of categories of a benchmark in versions: which is in use, and for what. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useHasBoard, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { CategoryListRow } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { UseList } from "./UseList";
import styles from "./lists.module.css";

const ORIGINS = { shipped: "lists.builtIn", file: "lists.fromFile", board: "lists.fromBoard" } as const;

export function ListsPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const may = useMay(slug);
  const hasBoard = useHasBoard(slug);
  const lists = useRead("category_list_versions", { path: { b: slug } });
  const actions = (
    <>
      <ButtonLink to={`/b/${slug}/protocol`}>{t("protocol.title")}</ButtonLink>
      {hasBoard && may("category_board_show") && (
        <ButtonLink to={`/b/${slug}/category-board`} data-testid="board-link">
          {t("lists.board")}
        </ButtonLink>
      )}
      {may("category_list_create") && (
        <ButtonLink to={`/b/${slug}/protocol/lists/new`} look="primary" data-testid="new-list">
          {t("lists.new")}
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page title={t("lists.title")} lead={t("lists.lead")} actions={actions}>
      <Loaded of={lists}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t("lists.empty")}>
              <p>{t("lists.lead")}</p>
            </Empty>
          ) : (
            <ul className={styles.versions} data-testid="category-lists">
              {rows.map((row) => (
                <ListRow key={`${row.name} ${String(row.version)}`} slug={slug} row={row} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function ListRow({ slug, row }: { slug: string; row: CategoryListRow }) {
  const { t } = useTranslation("benchmarks");
  const may = useMay(slug);
  const name = useLocalised();
  return (
    <li className="card" data-testid={`list-${row.name}-${String(row.version)}`}>
      <div>
        <Link to={`/b/${slug}/protocol/lists/${row.name}/${String(row.version)}`}>
          <b>{t("lists.version", { name: row.name, version: row.version })}</b>
        </Link>{" "}
        {row.in_use && <Chip tone="good">{t("lists.inUse")}</Chip>}{" "}
        {row.dimensions.map((dimension) => (
          <Chip key={dimension.en} tone="good">
            {t("lists.dimensionOf", { name: name(dimension) })}
          </Chip>
        ))}{" "}
        <Chip>{t(ORIGINS[row.origin])}</Chip>
        <p className="dim">
          {t("lists.size", { count: row.categories })} · {t("lists.inFields", { count: row.fields })}
          {row.protocol_versions.length > 0 && <> · {t("lists.namedBy", { versions: row.protocol_versions.join(", ") })}</>}
        </p>
        <p className="dim">
          {row.created_by && <>{row.created_by.name} · </>}
          <Time at={row.created_at} />
        </p>
      </div>
      {may("category_list_use") && <UseList slug={slug} row={row} />}
    </li>
  );
}
