/** The person's work: open packages, packages to claim, and what waits for review or inspection. */
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Package, Waiting } from "@/api/types";
import { useKinds } from "@/kinds/useTrackKinds";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Empty } from "@/ui/Empty";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { workActions } from "./actions";
import { useClaim } from "./useClaim";
import styles from "./packages.module.css";

export function WorkPage() {
  const { t } = useTranslation("packages");
  const slug = useSlug();
  const waiting = useRead("waiting_show", { path: { b: slug } }, { refetchInterval: 15_000 });
  return (
    <Page title={t("work.title")} lead={t("work.lead")} narrow>
      <Loaded of={waiting}>{(data) => <Waits waiting={data} slug={slug} />}</Loaded>
    </Page>
  );
}

function Waits({ waiting, slug }: { waiting: Waiting; slug: string }) {
  const { t } = useTranslation("packages");
  const navigate = useNavigate();
  const may = useMay(slug);
  const claim = useClaim(slug);
  const benchmark = useBenchmark(slug).data;
  const kinds = useKinds(slug);
  const working = waiting.working;
  const returned = waiting.returned;
  const held = new Set(working.map((pkg) => pkg.kind));
  const assigned = waiting.assigned.filter((pkg) => !held.has(pkg.kind));
  const pools = waiting.pools.filter((pool) => pool.free + pool.mine > 0);
  const meant = new Set(assigned.map((pkg) => pkg.kind));
  const free = (kind: string) => waiting.available_by_kind?.[kind] ?? 0;
  const claimable = may("package_claim") ? kinds.filter((kind) => !held.has(kind) && !meant.has(kind) && free(kind) > 0) : [];
  const [first] = [...working.map((pkg) => `work/${pkg.id}`), ...[...returned, ...assigned].map((pkg) => `packages/${pkg.id}`)];
  const [kind] = claimable;
  const begin = first
    ? () => void navigate(`/b/${slug}/${first}`)
    : kind !== undefined
      ? () => claim.claim(kind)
      : null;
  useActions(workActions, { begin });

  const review = waiting.to_review;
  const inspect = waiting.to_inspect;
  const nothing = working.length + returned.length + assigned.length + pools.length + claimable.length + review.length + inspect.length === 0;
  if (nothing) {
    return <Empty title={t("work.nothing.title")}>{t("work.nothing.text")}</Empty>;
  }
  return (
    <div className={styles.workSections}>
      {working.map((pkg) => (
        <PackageLine
          key={pkg.id}
          pkg={pkg}
          title={t("work.open", { label: pkg.label })}
          action={
            <ButtonLink
              to={`/b/${slug}/work/${pkg.id}`}
              look="primary"
              keys="Enter"
              data-testid={`continue-${pkg.label}`}
            >
              {t("work.continue")}
            </ButtonLink>
          }
        />
      ))}
      {returned.map((pkg) => (
        <PackageLine
          key={pkg.id}
          pkg={pkg}
          title={t("work.returned", { label: pkg.label })}
          action={
            <ButtonLink to={`/b/${slug}/packages/${pkg.id}`} data-testid={`open-${pkg.label}`}>
              {t("work.openReturned")}
            </ButtonLink>
          }
        />
      ))}
      {assigned.map((pkg) => (
        <PackageLine
          key={pkg.id}
          pkg={pkg}
          title={t("work.assigned", { label: pkg.label })}
          action={
            <Button busy={claim.isPending} onClick={() => claim.claim(pkg.kind)} data-testid={`begin-${pkg.label}`}>
              {t("step.begin")}
            </Button>
          }
        />
      ))}
      {claim.error && <Problem error={claim.error} />}
      {claimable.map((one) => (
        <div className={styles.workLine} key={one}>
          <div>
            <h2>{t("work.claim", { kind: t(`ui:kind.${one}`) })}</h2>
            <p className="dim">
              {t("work.available", { count: free(one) })}<Gap />{returned.length > 0 && t("work.returnedFirst")}
            </p>
          </div>
          <Button
            look={first ? undefined : "primary"}
            busy={claim.isPending}
            onClick={() => claim.claim(one)}
            data-testid={`claim-${one}`}
          >
            {t("claim.button")}
          </Button>
        </div>
      ))}
      <Judging packages={review} slug={slug} name="review" title={t("work.review", { number: review.length })} />
      <Judging packages={inspect} slug={slug} name="inspect" title={t("work.inspect", { number: inspect.length })} />
      {pools.map((pool) => (
        <div className={styles.workLine} key={`${pool.purpose}-${pool.kind}`}>
          <div>
            <h2>{t(`work.pool.${pool.purpose}`)}</h2>
            <p className="dim">
              {t(`ui:kind.${pool.kind}`)} · {t("work.poolText", { free: pool.free, mine: pool.mine })}
            </p>
          </div>
          <ButtonLink to={`/b/${slug}/pools/${pool.purpose}?kind=${pool.kind}`} data-testid={`pool-${pool.purpose}-${pool.kind}`}>
            {t("work.poolGo")}
          </ButtonLink>
        </div>
      ))}
      {benchmark && may("image_judge") && (waiting.images_to_judge ?? 0) > 0 && (
        <div className={styles.workLine}>
          <h2>{t("work.pictures", { count: waiting.images_to_judge ?? 0 })}</h2>
          <ButtonLink to={`/b/${slug}/pictures?state=received`}>{t("work.judgePictures")}</ButtonLink>
        </div>
      )}
    </div>
  );
}

function PackageLine({ pkg, title, action }: { pkg: Package; title: string; action: React.ReactNode }) {
  const { t } = useTranslation("packages");
  return (
    <div className={styles.workLine} data-testid={`line-${pkg.label}`}>
      <div>
        <h2>{title}</h2>
        <p className="dim">
          {t(`ui:kind.${pkg.kind}`)} · {t("written", { written: pkg.written, size: pkg.size })} ·{" "}
          <Time at={pkg.state_changed_at} />
        </p>
        <Meter value={pkg.written} of={pkg.size} label={t("column.written")} />
      </div>
      {action}
    </div>
  );
}

function Judging({
  packages,
  slug,
  name,
  title,
}: {
  packages: readonly Package[];
  slug: string;
  name: "review" | "inspect";
  title: string;
}) {
  const { t } = useTranslation("packages");
  if (packages.length === 0) return null;
  return (
    <section aria-labelledby={`judge-${name}`}>
      <h2 id={`judge-${name}`}>{title}</h2>
      <ul className={styles.workJudging}>
        {packages.map((pkg) => (
          <li key={pkg.id}>
            <span>
              {pkg.label} <Chip>{t(`ui:packageState.${pkg.state}`)}</Chip>{" "}
              <span className="dim">
                {pkg.assignee?.name} · {t("size", { count: pkg.size })} · <Time at={pkg.state_changed_at} />
              </span>
            </span>
            <ButtonLink small to={`/b/${slug}/packages/${pkg.id}`} data-testid={`${name}-${pkg.label}`}>
              {t(`work.go.${name}`)}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
