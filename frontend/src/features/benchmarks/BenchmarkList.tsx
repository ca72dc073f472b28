import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useBenchmark, useRoleName } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useSession } from "@/api/session";
import type { BenchmarkSummary } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import styles from "./benchmarks.module.css";

export function BenchmarkList() {
  const { t } = useTranslation("benchmarks");
  const session = useSession().data;
  const isOwner = session?.is_owner ?? false;
  const list = useRead("benchmark_list", {});
  const create = isOwner && (
    <ButtonLink to="/benchmarks/new" look="primary" data-testid="new-benchmark">
      {t("new")}
    </ButtonLink>
  );
  return (
    <Page title={t("title")} lead={t("lead")} actions={create}>
      <Loaded of={list}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              title={t("empty.title")}
              actions={
                <>
                  {create}
                  {session?.submits_to.map((slug) => (
                    <ButtonLink key={slug} to={`/submit/${slug}`} data-testid={`submit-${slug}`}>
                      {t("empty.submit", { slug })}
                    </ButtonLink>
                  ))}
                </>
              }
            >
              {t(isOwner ? "empty.owner" : session?.submits_to.length ? "empty.outside" : "empty.other")}
            </Empty>
          ) : (
            <ul className={styles.benchmarks}>
              {rows.map((benchmark) => (
                <BenchmarkCard key={benchmark.slug} benchmark={benchmark} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

const COUNTS = [
  ["accepted_images", "images", "/pictures"],
  ["accepted_items", "items", "/packages"],
  ["packages", null, "/packages"],
  ["releases", null, "/releases"],
] as const;

function BenchmarkCard({ benchmark }: { benchmark: BenchmarkSummary }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const base = `/b/${benchmark.slug}`;
  const roleName = useRoleName(useBenchmark(benchmark.slug, { enabled: benchmark.roles.length > 0 }).data);
  return (
    <li className="card" data-testid={`benchmark-${benchmark.slug}`}>
      <h2>
        <Link to={base}>{name(benchmark.title)}</Link>
      </h2>
      <div className="chips">
        {benchmark.roles.map((role) => (
          <Chip key={role}>{roleName(role)}</Chip>
        ))}
      </div>
      <dl className={styles.counts}>
        {COUNTS.map(([count, of, path]) => (
          <div key={count}>
            <dt>{t(`count.${count}`)}</dt>
            <dd>
              <Link to={`${base}${path}`}>{format.number(benchmark.counts[count])}</Link>
              {of !== null && <span className="faint"> / {format.number(benchmark.counts[of])}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
