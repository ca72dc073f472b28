/** Judging out of a pool: take a few items, judge each, take more; what is not judged goes back to the others. */
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { poolsIn, useBenchmark, useSlug, type PoolPurpose } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useKinds } from "@/kinds/useTrackKinds";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/Field";
import { Page } from "@/ui/Page";
import { InspectionPool } from "./InspectionPool";
import { ReviewPool } from "./ReviewPool";

export function PoolPage() {
  const { t } = useTranslation("quality");
  const slug = useSlug();
  const purpose: PoolPurpose = useParams().purpose === "inspection" ? "inspection" : "review";
  const [search, setSearch] = useSearchParams();
  const benchmark = useBenchmark(slug);
  const kinds = useKinds(slug);
  const kind = search.get("kind") ?? kinds[0] ?? "";
  const isOpen = poolsIn(benchmark.data?.protocol.content).includes(purpose);
  const pool = useRead(
    "pool_show",
    { path: { b: slug, purpose }, query: { kind } },
    { fresh: true, enabled: isOpen && kind !== "", refetchInterval: 30_000 },
  );
  return (
    <Page
      title={t(`pool.title.${purpose}`)}
      lead={t(`pool.lead.${purpose}`)}
      actions={
        kinds.length > 1 && (
          <SelectField label={t("pool.kind")} value={kind} onChange={(event) => setSearch({ kind: event.target.value })}>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t(`ui:kind.${one}`)}
              </option>
            ))}
          </SelectField>
        )
      }
    >
      {benchmark.data && !isOpen ? (
        <Empty title={t("pool.closed.title")} actions={<ButtonLink to={`/b/${slug}/work`}>{t("pool.closed.go")}</ButtonLink>}>
          {t("pool.closed.text")}
        </Empty>
      ) : (
        <Loaded of={pool}>
          {(data) =>
            purpose === "review" ? (
              <ReviewPool key={kind} pool={data} slug={slug} />
            ) : (
              <InspectionPool key={kind} pool={data} slug={slug} />
            )
          }
        </Loaded>
      )}
    </Page>
  );
}
