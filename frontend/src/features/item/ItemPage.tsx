/** One item: picture, content, state, history and comments. */
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { useReasonName, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { useList, useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import { useLocalised } from "@/i18n/localised";
import { Comments } from "@/item/Comments";
import { pagesOfItem } from "@/item/desk";
import { Marks } from "@/kinds/Marks";
import { PictureConcepts } from "@/kinds/multiple_choice/PictureConcepts";
import { PictureCategory } from "@/kinds/PictureCategory";
import { kindView } from "@/kinds/registry";
import { BlindTrials } from "@/kinds/trials/BlindTrials";
import { PictureSpace } from "@/picture/PictureSpace";
import { Stage } from "@/picture/Stage";
import { Loaded } from "@/ui/Loaded";
import { AuditTimeline } from "@/ui/AuditTimeline";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip, type Tone } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { PagedList } from "@/ui/PagedList";
import { itemActions } from "./actions";
import { ConfirmItem } from "./ConfirmItem";
import { ExcludeItem, WhyNotAccepted } from "./ExcludeItem";
import { neighbours } from "./neighbours";
import { ReopenItem } from "./ReopenItem";
import { Revisions } from "./Revisions";
import { Double } from "./Double";
import styles from "./item.module.css";

type Item = Answer<"item_show">;

const TONES: Readonly<Record<string, Tone>> = { accepted: "good", returned: "warn", skipped: "warn", excluded: "bad" };

export function ItemPage() {
  const { t } = useTranslation("item");
  const id = Number(useParams().id);
  const item = useRead("item_show", { path: { id } });
  if (item.data) return <ItemDetail key={id} item={item.data} />;
  return (
    <Page title={t("title")}>
      <Loaded of={item}>{() => null}</Loaded>
    </Page>
  );
}

function ItemDetail({ item }: { item: Item }) {
  const { t } = useTranslation("item");
  const slug = useSlug();
  const may = useMay(slug);
  const navigate = useNavigate();
  const location = useLocation();
  const view = kindView(item.kind);
  const comments = useRef<HTMLElement>(null);
  const { previous, next } = neighbours(location.state, item.id);
  const go = (id: number | null) =>
    id === null ? null : () => void navigate(`/b/${slug}/items/${id}`, { state: location.state as unknown, replace: true });
  const pages = pagesOfItem(slug, item);
  const goPrevious = go(previous);
  const goNext = go(next);
  useActions(itemActions, {
    previous: goPrevious,
    next: goNext,
    comment: () => comments.current?.querySelector("textarea")?.focus(),
    write: pages.write === null ? null : () => void navigate(pages.write ?? ""),
    validate: pages.validate === null ? null : () => void navigate(pages.validate ?? ""),
  });

  return (
    <Page
      title={item.label}
      lead={t(`ui:kind.${item.kind}`, { defaultValue: item.kind })}
      actions={<Ways pages={pages} onPrevious={goPrevious} onNext={goNext} />}
    >
      <PictureSpace>
        <PictureCategory of={item}>
          <div className={styles.itemPage}>
            <div className={styles.itemColumn}>
              <div className={styles.itemStage}>
                <Stage
                  width={item.image.width}
                  height={item.image.height}
                  view={item.image.view_url}
                  clean={item.image.clean_url}
                  label={item.image.label}
                >
                  <Marks view={view} content={item.content} rules={item.rules} />
                </Stage>
              </div>
              <section className="card" data-testid="content">
                <h2>{t("content")}</h2>
                {view === null ? (
                  <p className="dim">{t("unknownKind")}</p>
                ) : item.content === null ? (
                  <p className="dim">{t("empty")}</p>
                ) : (
                  <view.Reader content={item.content} rules={item.rules} reasons={item.reasons} />
                )}
              </section>
              {item.kind === "multiple_choice" && may("concept_list") && <PictureConcepts imageId={item.image.id} rules={item.rules} />}
              {item.kind === "multiple_choice" && item.revision_no > 0 && <BlindTrials itemId={item.id} />}
              {view !== null && item.double !== null && <Double item={item} view={view} slug={slug} />}
              {view !== null && item.revision_no > 0 && (
                <section className="card">
                  <h2>{t("history.title")}</h2>
                  <Revisions itemId={item.id} view={view} rules={item.rules} />
                </section>
              )}
            </div>
            <div className={styles.itemColumn}>
              <WhyNotAccepted item={item} />
              {item.available_actions.includes("item_confirm") && <ConfirmItem item={item} />}
              <Facts item={item} slug={slug} />
              {item.accepted_no !== null && may("erratum_report") && (
                <p className="dim">
                  <Link to={`/b/${slug}/errata?item=${item.label}`} data-testid="report-mistake">
                    {t("reportMistake")}
                  </Link>
                </p>
              )}
              {item.available_actions.includes("item_reopen") && <ReopenItem item={item} />}
              {item.available_actions.includes("item_exclude") && <ExcludeItem item={item} />}
              {may("comment_list") && (
                <section className="card" ref={comments}>
                  <h2>{t("comments")}</h2>
                  <Comments itemId={item.id} />
                </section>
              )}
              {may("audit_list") && <Decisions item={item} slug={slug} />}
            </div>
          </div>
        </PictureCategory>
      </PictureSpace>
    </Page>
  );
}

interface WaysProps {
  pages: ReturnType<typeof pagesOfItem>;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** The ways from an item: to its neighbours, and to where it is worked on. */
function Ways({ pages, onPrevious, onNext }: WaysProps) {
  const { t } = useTranslation("item");
  return (
    <>
      {onPrevious && (
        <Button keys="p" onClick={onPrevious} data-testid="previous-item">
          {t("action.previous")}
        </Button>
      )}
      {onNext && (
        <Button keys="n" onClick={onNext} data-testid="next-item">
          {t("action.next")}
        </Button>
      )}
      {pages.write !== null && (
        <ButtonLink look={pages.validate === null ? "primary" : undefined} keys="e" to={pages.write} data-testid="write">
          {t("action.write")}
        </ButtonLink>
      )}
      {pages.validate !== null && (
        <ButtonLink look="primary" keys="v" to={pages.validate} data-testid="validate">
          {t("action.validate")}
        </ButtonLink>
      )}
    </>
  );
}

function Facts({ item, slug }: { item: Item; slug: string }) {
  const { t } = useTranslation("item");
  const name = useLocalised();
  const may = useMay(slug);
  const { package: pack, team, image } = item;
  return (
    <section className="card">
      <h2 className="visually-hidden">{t("facts")}</h2>
      <dl className="facts">
        <dt>{t("state")}</dt>
        <dd>
          <Chip tone={TONES[item.state]}>{t(`ui:itemState.${item.state}`, { defaultValue: item.state })}</Chip>
        </dd>
        {team !== null && (
          <>
            <dt>{t("team")}</dt>
            <dd>{team.name}</dd>
          </>
        )}
        {(pack !== null || item.track === "package") && (
          <>
            <dt>{t("package")}</dt>
            <dd>{pack === null ? <span className="dim">{t("noPackage")}</span> : <PackageLink slug={slug} pack={pack} />}</dd>
          </>
        )}
        <dt>{t("picture")}</dt>
        <dd>
          {may("image_show") ? <Link to={`/b/${slug}/pictures/${image.id}`}>{image.label}</Link> : image.label}
          {image.category && <span className="tiny"> {name(image.category.name)}</span>}
        </dd>
        <dt>{t("versions")}</dt>
        <dd className="number">{item.revision_no === 0 ? t("noVersion") : item.revision_no}</dd>
        {item.accepted_no !== null && (
          <>
            <dt>{t("acceptedVersion")}</dt>
            <dd className="number">{item.accepted_no}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function PackageLink({ slug, pack }: { slug: string; pack: NonNullable<Item["package"]> }) {
  const { t } = useTranslation("item");
  return (
    <>
      <Link to={`/b/${slug}/packages/${pack.id}`}>{pack.label}</Link>{" "}
      <span className="tiny">{t(`ui:packageState.${pack.state}`, { defaultValue: pack.state })}</span>
    </>
  );
}

/** The item's audit entries, for those who may read them. */
function Decisions({ item, slug }: { item: Item; slug: string }) {
  const { t } = useTranslation("item");
  const reasonName = useReasonName(slug);
  const list = useList("audit_list", { path: { b: slug }, query: { target_type: "item", target_id: item.id } });
  return (
    <section className="card">
      <h2>{t("decisions")}</h2>
      <PagedList of={list} empty={<p className="dim">{t("noDecisions")}</p>}>
        {(rows) => <AuditTimeline events={rows} slug={slug} reasonName={reasonName} />}
      </PagedList>
    </section>
  );
}
