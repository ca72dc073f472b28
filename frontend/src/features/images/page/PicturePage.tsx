/** One picture's page: the picture, its source, decisions about it, its uses and its history. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Benchmark, ImageDetail, Reason } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Stage } from "@/picture/Stage";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { AuditTimeline } from "@/ui/AuditTimeline";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { KeyCap, useActions } from "@/ui/keys";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem, useErrorText } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { FlagChips } from "../FlagChips";
import { allows, useJudging } from "../grid/judging";
import { translatedConflict } from "../grid/PictureCard";
import { pictureRules, type PictureRules } from "../protocol";
import { STATE_TONES } from "../states";
import { NearDuplicates } from "../NearDuplicates";
import { AxisFacts } from "./AxisFacts";
import { Correct } from "./Correct";
import { useCountsText } from "../grid/useCountsText";
import { pageActions } from "./pageActions";
import { Restore, Withdraw } from "./Withdraw";
import styles from "./page.module.css";

export function PicturePage() {
  const { t } = useTranslation("images");
  const slug = useSlug();
  const id = Number(useParams().id);
  const image = useRead("image_show", { path: { id } });
  const benchmark = useBenchmark(slug);
  const name = useLocalised();
  const data = image.data;
  return (
    <Page
      title={data?.label ?? t("title")}
      lead={data?.category ? name(data.category.name) : undefined}
      actions={<ButtonLink to={`/b/${slug}/pictures`}>{t("toGrid")}</ButtonLink>}
    >
      <Loaded of={image}>{(data) => <Picture key={id} image={data} slug={slug} benchmark={benchmark.data} />}</Loaded>
    </Page>
  );
}

function Picture({ image, slug, benchmark }: { image: ImageDetail; slug: string; benchmark: Benchmark | undefined }) {
  const { t } = useTranslation("images");
  const may = useMay(slug);
  const rules = pictureRules(benchmark?.protocol.content);
  const axes = benchmark?.axes ?? [];
  const releases = useRead("image_releases", { path: { id: image.id } }, { enabled: may("image_releases") });
  const withdrawn = image.state === "withdrawn" ? image.takedowns.findLast((one) => !one.restored) : undefined;
  return (
    <div className={styles.picturePage}>
      <div className={styles.pictureColumn}>
        {withdrawn && (
          <Notice tone="warn">
            <span data-testid="withdrawn">
              {t("withdrawal.is", { name: withdrawn.by?.name ?? t("ui:nameHidden") })}<Gap /><Time at={withdrawn.at} />
              {withdrawn.comment !== "" && " "}
              {withdrawn.comment !== "" && <q>{withdrawn.comment}</q>}
            </span>
          </Notice>
        )}
        <div className={styles.pictureStage}>
          <Stage width={image.width} height={image.height} view={image.view_url} clean={image.clean_url} label={image.label} />
        </div>
        {image.near.length > 0 && (
          <section className="card">
            <h2>{t("nearDuplicates.title")}</h2>
            <NearDuplicates id={image.id} slug={slug} />
          </section>
        )}
        {may("image_items") && <Items id={image.id} slug={slug} />}
        {may("audit_list") && <Timeline slug={slug} id={image.id} rules={rules} categories={benchmark?.categories ?? []} />}
      </div>
      <div className={styles.pictureColumn}>
        <Decide image={image} slug={slug} rules={rules} />
        <Origin image={image} rules={rules} axes={axes} correct={<Correct image={image} rules={rules} categories={benchmark?.categories ?? []} axes={axes} />} />
        <Verdicts image={image} rules={rules} />
        {releases.data && releases.data.length > 0 && <Releases rows={releases.data} slug={slug} />}
        <Renditions image={image} />
        {(image.available_actions.includes("image_take_down") || image.available_actions.includes("image_restore")) && (
          <section className="card" data-testid="withdrawal">
            <h2>{t("withdrawal.title")}</h2>
            {image.available_actions.includes("image_restore") ? (
              <Restore image={image} />
            ) : (
              <Withdraw image={image} reasons={rules.withdrawalReasons} releases={releases.data?.length ?? 0} />
            )}
          </section>
        )}
      </div>
    </div>
  );
}

/** The picture's state, and its judgement by people who may judge it. */
function Decide({ image, slug, rules }: { image: ImageDetail; slug: string; rules: PictureRules }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const errorText = useErrorText();
  const may = useMay(slug);
  const judging = useJudging(slug);
  const decision = judging.decisions.get(image.id);
  const verdict = decision?.verdict?.work.judgement;
  const state = verdict && verdict.outcome !== "clear" ? verdict.outcome : image.state;
  const isClear = image.personal_information_clear || decision?.clear !== undefined;
  const mayAccept = allows(image, { outcome: "accepted" }) && state !== "accepted";
  const mayRefuse = allows(image, { outcome: "refused", reasons: [] });
  const mayClear = allows(image, { outcome: "clear" }) && !isClear;
  const reasons = rules.refusalReasons;
  const context = {
    reasons,
    nameOf: (reason: Reason | undefined) => name(reason?.name),
    mayAccept,
    mayRefuse,
    mayClear,
    canUndo: judging.canUndo,
    accept: () => void judging.judge([image], { outcome: "accepted" }),
    refuse: (reason: Reason) => void judging.judge([image], { outcome: "refused", reasons: [reason.code] }),
    clear: () => void judging.judge([image], { outcome: "clear" }),
    undo: () => void judging.undo(),
  };
  useActions(pageActions, context);
  const conflict = decision?.conflict;
  return (
    <section className={`card ${styles.pictureVerdict}`} aria-label={t("verdicts.title")}>
      <ul className="chips">
        <li>
          <Chip tone={STATE_TONES[state]}>
            <span data-testid="state" data-state={state} data-pending={decision?.verdict?.state}>
              {t(`ui:imageState.${state}`)}
            </span>
          </Chip>
        </li>
        <li>
          <Chip tone={isClear ? "good" : "warn"}>{isClear ? t("clearShort") : t("notClear")}</Chip>
        </li>
        <FlagChips flags={image.flags} near={image.near} slug={slug} />
      </ul>
      {image.available_actions.includes("image_cover") && (
        <p className={styles.pictureDecide}>
          <ButtonLink small to={`/b/${slug}/pictures/cover?image=${image.id}`} data-testid="to-cover">
            {t("cover.link")}
          </ButtonLink>
        </p>
      )}
      {conflict && (
        <Notice tone="bad" action={<Button small onClick={() => judging.dismiss(image.id)}>{t("ui:close")}</Button>}>
          {errorText(translatedConflict(conflict.error, (outcome) => t([`ui:imageState.${outcome}`, outcome])))}
        </Notice>
      )}
      {judging.problem && <Problem error={judging.problem} onRetry={() => void judging.flush()} />}
      {(mayAccept || mayRefuse || mayClear || judging.unsent > 0) && (
        <div className={styles.pictureDecide}>
          {mayAccept && (
            <Button look="primary" keys="a" onClick={context.accept} data-testid="accept">
              {t("action.accept")}
            </Button>
          )}
          {mayClear && (
            <Button keys="p" onClick={context.clear} data-testid="clear">
              {t("action.clear")}
            </Button>
          )}
          {judging.unsent > 0 && (
            <Button keys="z" disabled={!judging.canUndo} onClick={context.undo} data-testid="undo">
              {t("action.undo")}
            </Button>
          )}
          {mayRefuse && (
            <div>
              <p className="dim">{t("refuseAs")}</p>
              <ul className="chips">
                {reasons.map((reason, i) => (
                  <li key={reason.code}>
                    <button type="button" className="chip" onClick={() => context.refuse(reason)} data-testid={`refuse-${reason.code}`}>
                      {i < 9 && <KeyCap keys={String(i + 1)} />} {name(reason.name)}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      )}
      {may("image_judge") && image.state === "received" && !image.available_actions.includes("image_judge") && <p className={`dim ${styles.pictureDecide}`}>{t("notYours")}</p>}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The picture's source, licence and category. */
function Origin({ image, rules, axes, correct }: { image: ImageDetail; rules: PictureRules; axes: Benchmark["axes"]; correct: ReactNode }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const format = useFormat();
  const { source, objects } = image;
  const countsText = useCountsText();
  const contributor = image.contributor?.name ?? t("ui:nameHidden");
  const licence = rules.licences.find((one) => one.code === image.licence);
  const site = rules.sites.find((one) => one.code === source.site);
  const subset = rules.subsets.find((one) => one.code === image.subset);
  const uses = source.uses && [source.uses.research && t("facts.research"), source.uses.commercial && t("facts.commercial")].filter((one) => one !== false);
  return (
    <section className="card">
      <h2>{t("facts.title")}</h2>
      <dl className="facts" data-testid="facts">
        <Fact name={t("field.source")}>
          {t([`source.${source.kind}`, source.kind])}
          {site && ` · ${name(site.name)}`}
          {source.url !== "" && (
            <>
              <br />
              <a href={source.url} target="_blank" rel="noreferrer noopener">
                {source.url}
              </a>
            </>
          )}
        </Fact>
        <Fact name={t("field.author")}>{source.author === "" && source.kind === "own" ? contributor : source.author || t("ui:none")}</Fact>
        <Fact name={t("field.licence")}>{licence ? name(licence.name) : image.licence}</Fact>
        {uses && <Fact name={t("field.uses")}>{uses.length === 0 ? t("uses.neither") : format.list(uses)}</Fact>}
        {source.waived && <Fact name={t("field.uses")}>{t("facts.waived")}</Fact>}
        {source.kind === "donated" && <Fact name={t("facts.donor")}>{source.donor_consent ? t("facts.donorAgreed") : t("facts.donorOpen")}</Fact>}
        <Fact name={t("field.category")}>{image.category ? name(image.category.name) : t("noCategory")}</Fact>
        {image.collected_for && image.collected_for.slug !== image.category?.slug && <Fact name={t("facts.collectedFor")}>{name(image.collected_for.name)}</Fact>}
        <AxisFacts image={image} axes={axes} />
        {image.subset !== "" && <Fact name={t("facts.subset")}>{subset ? name(subset.name) : image.subset}</Fact>}
        {objects && <Fact name={t("facts.objects")}>{countsText(objects)}</Fact>}
        <Fact name={t("facts.contributor")}>
          {contributor} · <Time at={image.created_at} />
        </Fact>
        <Fact name={t("facts.size")}>
          <span className="number">
            {format.number(image.width)} × {format.number(image.height)}
          </span>
        </Fact>
        <Fact name={t("facts.original")}>{image.original_kept ? t("facts.originalKept") : t("facts.originalGone")}</Fact>
        <Fact name="SHA-256">
          <span className="mono">{image.sha256}</span>
        </Fact>
      </dl>
      <div className={styles.pictureCorrect}>{correct}</div>
    </section>
  );
}

function Verdicts({ image, rules }: { image: ImageDetail; rules: PictureRules }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const reasonName = (code: string) => name([...rules.refusalReasons, ...rules.withdrawalReasons].find((reason) => reason.code === code)?.name) || code;
  return (
    <section className="card">
      <h2>{t("verdicts.title")}</h2>
      {image.verdicts.length === 0 && image.takedowns.length === 0 ? (
        <p className="dim">{t("verdicts.none")}</p>
      ) : (
        <ul className={styles.verdicts} data-testid="verdicts">
          {image.verdicts.map((verdict) => (
            <li key={verdict.id}>
              <Chip tone={STATE_TONES[verdict.outcome]}>{t(`ui:imageState.${verdict.outcome}`)}</Chip> {verdict.judge?.name ?? t("ui:nameHidden")}{" "}
              <span className="dim">
                {verdict.reasons.map(reasonName).join(" · ")} <Time at={verdict.created_at} />
              </span>
            </li>
          ))}
          {image.takedowns.map((one) => (
            <li key={`takedown ${one.at}`}>
              <Chip tone={one.restored ? "good" : "warn"}>{one.restored ? t("withdrawal.restoredShort") : t("ui:imageState.withdrawn")}</Chip> {one.by?.name ?? t("ui:nameHidden")}{" "}
              <span className="dim">
                {one.reason !== "" && reasonName(one.reason)} {one.comment} <Time at={one.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Renditions({ image }: { image: ImageDetail }) {
  const { t } = useTranslation("images");
  const format = useFormat();
  return (
    <section className="card">
      <h2>{t("renditions.title")}</h2>
      <p className="tiny">{t("renditions.text")}</p>
      <table className="table" data-testid="renditions">
        <TableHead columns={[t("renditions.role"), { number: t("facts.size") }, { number: t("renditions.bytes") }]} />
        <tbody>
          {image.renditions.map((rendition) => (
            <tr key={rendition.id}>
              <td>
                <a href={rendition.url} target="_blank" rel="noreferrer">
                  {t(`rendition.${rendition.role}`)}
                </a>
                {rendition.version > 1 && t("renditions.covered", { version: rendition.version })}
              </td>
              <td className="number">
                {rendition.width} × {rendition.height}
              </td>
              <td className="number">{format.bytes(rendition.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The items of the picture. */
function Items({ id, slug }: { id: number; slug: string }) {
  const { t } = useTranslation("images");
  const items = useRead("image_items", { path: { id } });
  return (
    <section className="card">
      <h2>{t("items.title")}</h2>
      <Loaded of={items}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="dim">{t("items.none")}</p>
          ) : (
            <ul className={styles.verdicts} data-testid="items">
              {rows.map((item) => (
                <li key={item.id}>
                  <Chip tone={item.state === "accepted" ? "good" : undefined}>{t([`ui:itemState.${item.state}`, item.state])}</Chip>{" "}
                  <Link to={`/b/${slug}/items/${item.id}`} state={{ items: rows.map((row) => row.id) }}>
                    {item.label}
                  </Link>{" "}
                  <span className="dim">{t([`ui:kind.${item.kind}`, item.kind])}</span>{" "}
                  {item.package && <Link to={`/b/${slug}/packages/${item.package.id}`}>{item.package.label}</Link>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** Releases that contain it; a frozen release keeps it even when the picture is withdrawn later. */
function Releases({ rows, slug }: { rows: readonly { id: number; label: string; state: string; split: string; frozen_at: string | null }[]; slug: string }) {
  const { t } = useTranslation("images");
  return (
    <section className="card">
      <h2>{t("releases.title")}</h2>
      <p className="tiny">{t("releases.text")}</p>
      <ul className={styles.verdicts} data-testid="releases">
        {rows.map((release) => (
          <li key={release.id}>
            <Chip>{t([`ui:releaseState.${release.state}`, release.state])}</Chip> <Link to={`/b/${slug}/releases/${release.id}`}>{release.label}</Link>{" "}
            <span className="dim">
              {release.split} {release.frozen_at !== null && <Time at={release.frozen_at} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Timeline({ slug, id, rules, categories }: { slug: string; id: number; rules: PictureRules; categories: Benchmark["categories"] }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const list = useList("audit_list", { path: { b: slug }, query: { target_type: "image", target_id: id } });
  const coded = [...rules.refusalReasons, ...rules.withdrawalReasons, ...rules.licences, ...categories.map((one) => ({ code: one.slug, name: one.name }))];
  const reasonName = (code: string) => name(coded.find((one) => one.code === code)?.name) || code;
  return (
    <section className="card">
      <h2>{t("timeline")}</h2>
      <Loaded of={list}>
        {() => <AuditTimeline events={list.rows} slug={slug} reasonName={reasonName} />}
      </Loaded>
    </section>
  );
}
