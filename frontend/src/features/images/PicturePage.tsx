/** One picture's page: how it looks, where it comes from, what was decided about it and when. */
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { reasonsIn, useBenchmark, useSlug } from "@/api/benchmark";
import { useList, useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Benchmark, ImageDetail, Reason } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Stage } from "@/picture/Stage";
import { Answered } from "@/ui/Answered";
import { AuditLine } from "@/ui/AuditLine";
import { Button, ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { KeyCap, useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { FlagChips } from "./FlagChips";
import { allows, useJudging } from "./judging";
import { pageActions } from "./pageActions";
import { STATE_TONES } from "./states";
import "./images.css";

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
      <Answered of={image}>{(found) => <Picture image={found} slug={slug} benchmark={benchmark.data} />}</Answered>
    </Page>
  );
}

function Picture({ image, slug, benchmark }: { image: ImageDetail; slug: string; benchmark: Benchmark | undefined }) {
  const { t } = useTranslation("images");
  const name = useLocalised();
  const format = useFormat();
  const may = useMay(slug);
  const { judge, pending } = useJudging();
  const reasons = reasonsIn(benchmark?.protocol.content, "images", "refusal_reasons");
  const licence = reasonsIn(benchmark?.protocol.content, "images", "licences").find((one) => one.code === image.licence);
  const mayAccept = allows(image, { outcome: "accepted" });
  const mayRefuse = allows(image, { outcome: "refused", reasons: [] });
  const mayClear = allows(image, { outcome: "clear" });
  const context = {
    reasons,
    reasonName: (reason: Reason | undefined) => name(reason?.name),
    mayAccept,
    mayRefuse,
    mayClear,
    accept: () => void judge([image], { outcome: "accepted" }),
    refuse: (reason: Reason) => void judge([image], { outcome: "refused", reasons: [reason.code] }),
    clear: () => void judge([image], { outcome: "clear" }),
  };
  useActions(pageActions, context);
  const reasonName = (code: string) => name(reasons.find((reason) => reason.code === code)?.name) || code;
  const busy = pending.has(image.id);

  return (
    <div className="picture-page">
      <div>
        <div className="picture-stage">
          <Stage width={image.width} height={image.height} view={image.view_url} clean={image.clean_url} label={image.label} />
        </div>
        {image.near.length > 0 && (
          <section className="card" style={{ marginTop: 16 }}>
            <h2>{t("twins.title")}</h2>
            <p className="tiny">{t("twins.text")}</p>
            <ul className="twins">
              {image.near.map((twin) => (
                <NearTwin key={twin.id} twin={twin} slug={slug} />
              ))}
            </ul>
          </section>
        )}
        {may("audit_list") && <Timeline slug={slug} id={image.id} />}
      </div>
      <div>
        <section className="card">
          <ul className="chips">
            <li>
              <Chip tone={STATE_TONES[image.state]}>{t(`ui:imageState.${image.state}`)}</Chip>
            </li>
            <li>
              <Chip tone={image.personal_information_clear ? "good" : "warn"}>{image.personal_information_clear ? t("clearShort") : t("notClear")}</Chip>
            </li>
            <FlagChips flags={image.flags} near={image.near} slug={slug} />
          </ul>
          {(mayAccept || mayRefuse || mayClear) && (
            <div className="picture-decide">
              {mayAccept && (
                <Button look="primary" keys="a" busy={busy} onClick={context.accept} data-testid="accept">
                  {t("action.accept")}
                </Button>
              )}
              {mayClear && (
                <Button keys="p" busy={busy} onClick={context.clear} data-testid="clear">
                  {t("action.clear")}
                </Button>
              )}
              {mayRefuse && (
                <div>
                  <p className="dim">{t("refuseAs")}</p>
                  <ul className="chips">
                    {reasons.slice(0, 9).map((reason, i) => (
                      <li key={reason.code}>
                        <button type="button" className="chip" disabled={busy} onClick={() => context.refuse(reason)} data-testid={`refuse-${reason.code}`}>
                          <KeyCap keys={String(i + 1)} /> {name(reason.name)}
                        </button>
                      </li>
                    ))}
                  </ul>
                </div>
              )}
            </div>
          )}
          {!mayAccept && may("image_judge") && image.state === "received" && <p className="dim picture-decide">{t("notYours")}</p>}
        </section>

        <section className="card">
          <h2>{t("facts.title")}</h2>
          <dl className="facts">
            <dt>{t("field.source")}</dt>
            <dd>
              {t([`source.${image.source.kind}`, image.source.kind])}
              {image.source.url !== "" && (
                <>
                  <br />
                  <a href={image.source.url} target="_blank" rel="noreferrer noopener">
                    {image.source.url}
                  </a>
                </>
              )}
            </dd>
            <dt>{t("field.author")}</dt>
            <dd>{image.source.author === "" && image.source.kind === "own" ? image.contributor.name : image.source.author}</dd>
            <dt>{t("field.licence")}</dt>
            <dd>{licence ? name(licence.name) : image.licence}</dd>
            <dt>{t("facts.contributor")}</dt>
            <dd>
              {image.contributor.name} · <Time at={image.created_at} />
            </dd>
            <dt>{t("facts.size")}</dt>
            <dd className="number">
              {format.number(image.width)} × {format.number(image.height)}
            </dd>
            {image.subset !== "" && (
              <>
                <dt>{t("facts.subset")}</dt>
                <dd>{image.subset}</dd>
              </>
            )}
            <dt>SHA-256</dt>
            <dd className="mono">{image.sha256}</dd>
          </dl>
        </section>

        <section className="card">
          <h2>{t("verdicts.title")}</h2>
          {image.verdicts.length === 0 ? (
            <p className="dim">{t("verdicts.none")}</p>
          ) : (
            <ul className="verdicts">
              {image.verdicts.map((verdict) => (
                <li key={verdict.id}>
                  <Chip tone={STATE_TONES[verdict.outcome]}>{t(`ui:imageState.${verdict.outcome}`)}</Chip> {verdict.judge.name}{" "}
                  <span className="dim">
                    {verdict.reasons.map(reasonName).join(" · ")} <Time at={verdict.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </section>

        <section className="card">
          <h2>{t("renditions.title")}</h2>
          <p className="tiny">{t("renditions.text")}</p>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t("renditions.role")}</th>
                <th scope="col" className="number">
                  {t("facts.size")}
                </th>
                <th scope="col" className="number">
                  {t("renditions.bytes")}
                </th>
              </tr>
            </thead>
            <tbody>
              {image.renditions.map((rendition) => (
                <tr key={rendition.id}>
                  <td>
                    <a href={rendition.url} target="_blank" rel="noreferrer">
                      {t(`rendition.${rendition.role}`)}
                    </a>
                    {rendition.version > 1 && ` ${rendition.version}`}
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
      </div>
    </div>
  );
}

function NearTwin({ twin, slug }: { twin: ImageDetail["near"][number]; slug: string }) {
  const { t } = useTranslation("images");
  const image = useRead("image_show", { path: { id: twin.id } });
  return (
    <li>
      <Link to={`/b/${slug}/pictures/${twin.id}`}>
        {image.data && <img src={image.data.view_url} alt="" width={image.data.width} height={image.data.height} loading="lazy" />}
        {twin.label}
      </Link>
      <span className="tiny">{t("twins.distance", { count: twin.distance })}</span>
    </li>
  );
}

function Timeline({ slug, id }: { slug: string; id: number }) {
  const { t } = useTranslation("images");
  const list = useList("audit_list", { path: { b: slug }, query: { target_type: "image", target_id: id } });
  return (
    <section className="card" style={{ marginTop: 16 }}>
      <h2>{t("timeline")}</h2>
      <Answered of={list}>
        {() => (
          <ol className="timeline" data-testid="timeline">
            {list.rows.map((event) => (
              <li key={event.id}>
                <span className="dim">
                  <Time at={event.at} />
                </span>
                <span>{event.actor?.name ?? t("system")}</span>
                <AuditLine event={event} />
              </li>
            ))}
          </ol>
        )}
      </Answered>
    </section>
  );
}
