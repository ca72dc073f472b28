/** One package: its state, the reader's next step, its items and its history. */
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { useReasonName, useSlug } from "@/api/benchmark";
import { useList, useRead, useWrite } from "@/api/queries";
import { useMay } from "@/api/session";
import type { PackageDetail } from "@/api/types";
import { rulesIn } from "@/kinds/language";
import { kindView } from "@/kinds/registry";
import { Loaded } from "@/ui/Loaded";
import { AuditTimeline } from "@/ui/AuditTimeline";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { Meter } from "@/ui/Meter";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { packageActions } from "./actions";
import { ManagePackage } from "./ManagePackage";
import { nextStep, type Step } from "./nextStep";
import { ReturnedReasons, Skipped } from "./Skipped";
import { itemTone, toneOf } from "./states";
import { useClaim } from "./useClaim";
import styles from "./packages.module.css";

export function PackagePage() {
  const id = Number(useParams().packageId);
  const pkg = useRead("package_show", { path: { id } }, { refetchInterval: 30_000, fresh: true });
  return <Loaded of={pkg}>{(data) => <Detail pkg={data} />}</Loaded>;
}

function Detail({ pkg }: { pkg: PackageDetail }) {
  const { t } = useTranslation("packages");
  const slug = useSlug();
  const may = useMay(slug);
  const navigate = useNavigate();
  const startReview = useWrite("package_review_take");
  const resume = useWrite("package_resume");
  const base = `/b/${slug}/packages/${pkg.id}`;
  const step = nextStep(pkg);
  const claim = useClaim(slug);
  const places: Record<Exclude<Step, "begin">, string> = {
    write: `/b/${slug}/work/${pkg.id}`,
    check: `${base}/check`,
    resume: `/b/${slug}/work/${pkg.id}`,
    startReview: `${base}/review`,
    review: `${base}/review`,
    inspect: `${base}/inspection`,
    result: `${base}/inspection`,
  };

  function perform(next: Step) {
    if (next === "begin") {
      claim.claim(pkg.kind);
      return;
    }
    const go = () => void navigate(places[next]);
    const request = { path: { id: pkg.id }, body: { revision: pkg.revision } };
    if (next === "startReview") startReview.mutate(request, { onSuccess: go });
    else if (next === "resume") resume.mutate(request, { onSuccess: go });
    else go();
  }
  useActions(packageActions, {
    advance: step ? () => perform(step) : null,
    toList: () => void navigate(`/b/${slug}/packages`),
  });
  const problem = startReview.error ?? resume.error ?? claim.error;
  const returned = pkg.items.filter((item) => item.returned !== null).length;
  const skipped = pkg.items.filter((item) => item.state === "skipped").length;

  return (
    <Page
      title={pkg.label}
      lead={
        <>
          {t(`ui:kind.${pkg.kind}`)} · <Chip tone={toneOf(pkg.state)}>{t(`ui:packageState.${pkg.state}`)}</Chip>{" "}
          <Time at={pkg.state_changed_at} />
        </>
      }
      actions={
        <>
          {step === "write" && pkg.written > 0 && (
            <Button onClick={() => perform("check")} data-testid="to-check">
              {t("step.check")}
            </Button>
          )}
          {step && (
            <Button
              look="primary"
              keys="Enter"
              busy={startReview.isPending || resume.isPending || claim.isPending}
              onClick={() => perform(step)}
              data-testid={`step-${step}`}
            >
              {t(`step.${step}`)}
            </Button>
          )}
        </>
      }
    >
      {problem && <Problem error={problem} />}
      {pkg.state === "returned" && (
        <Notice tone="warn">{step === "resume" ? t("returnedText", { count: returned }) : t("returnedToOther", { count: returned })}</Notice>
      )}
      <div className={styles.packageColumns}>
        <section aria-label={t("items")}>
          <Items pkg={pkg} slug={slug} />
        </section>
        <aside>
          <div className="card">
            <div className="big number">
              {pkg.written}
              <span className={`dim ${styles.packageOf}`}> / {pkg.size}</span>
            </div>
            <Meter value={pkg.written} of={pkg.size} label={t("column.written")} />
            <dl className="facts">
              <dt>{t("column.checked")}</dt>
              <dd className="number">
                {pkg.checked} / {pkg.size}
              </dd>
              <dt>{t("column.assignee")}</dt>
              <dd>{pkg.assignee?.name ?? t("noPerson")}</dd>
              <dt>{t("column.reviewer")}</dt>
              <dd>{pkg.reviewer?.name ?? t("noPerson")}</dd>
              {skipped > 0 && (
                <>
                  <dt>{t("ui:itemState.skipped")}</dt>
                  <dd className="number">{skipped}</dd>
                </>
              )}
              {/* Rounds are counted from the first submission on. */}
              {pkg.round > 0 && (
                <>
                  <dt>{t("column.round")}</dt>
                  <dd className="number" data-testid="round">
                    {pkg.round}
                  </dd>
                </>
              )}
            </dl>
          </div>
          <ManagePackage pkg={pkg} slug={slug} />
          {may("audit_list") && <Timeline slug={slug} id={pkg.id} />}
        </aside>
      </div>
    </Page>
  );
}

function Items({ pkg, slug }: { pkg: PackageDetail; slug: string }) {
  const { t } = useTranslation("packages");
  const view = kindView(pkg.kind);
  const mayWrite = pkg.available_actions.includes("item_submit");
  return (
    <ol className={styles.packageItems} data-testid="package-items">
      {pkg.items.map((item) => (
        <li key={item.id}>
          <img
            src={item.image.thumb_url}
            alt={item.image.label}
            width={72}
            height={54}
            loading="lazy"
            decoding="async"
          />
          <div className="package-item-text">
            <p className="tiny">
              {mayWrite ? (
                <Link to={`/b/${slug}/work/${pkg.id}?item=${item.id}`}>{item.label}</Link>
              ) : (
                <Link to={`/b/${slug}/items/${item.id}`} state={{ items: pkg.items.map(({ id }) => id) }}>
                  {item.label}
                </Link>
              )}
            </p>
            {item.state === "skipped" ? (
              <Skipped item={item} slug={slug} rules={pkg.rules} />
            ) : item.content && view ? (
              <view.Reader content={item.content} rules={rulesIn(pkg.rules, item.language)} short />
            ) : (
              <p className="faint">{t("notWritten")}</p>
            )}
            <ReturnedReasons item={item} slug={slug} rules={pkg.rules} />
          </div>
          <span className="chips">
            {item.returned && item.state !== "returned" && <Chip tone="warn">{t("returnedBadge")}</Chip>}
            {item.is_corrected && <Chip tone="accent">{t("correctedBadge")}</Chip>}
            {item.checked && item.state !== "returned" && <Chip tone="good">✓ {t("ticked")}</Chip>}
            <Chip tone={itemTone(item.state)}>{t(`ui:itemState.${item.state}`)}</Chip>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Timeline({ slug, id }: { slug: string; id: number }) {
  const { t } = useTranslation("packages");
  const list = useList("audit_list", { path: { b: slug }, query: { target_type: "package", target_id: id } });
  const reasonName = useReasonName(slug);
  if (list.rows.length === 0) return null;
  return (
    <div className="card">
      <h2>{t("timeline")}</h2>
      <AuditTimeline events={list.rows} slug={slug} reasonName={reasonName} />
      <Link className="tiny" to={`/b/${slug}/audit?target_type=package&target_id=${id}`}>
        {t("wholeTimeline")}
      </Link>
    </div>
  );
}
