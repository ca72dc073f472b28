/** One query: its text or picture, the correct answers, and each system's top results. */
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useParams, useSearchParams } from "react-router";
import { useContentLanguage, useSlug } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { Stage } from "@/picture/Stage";
import { Loaded } from "@/ui/Loaded";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { useActions } from "@/ui/keys";
import { Page } from "@/ui/Page";
import { sampleActions } from "./actions";
import { beside, fromSamples } from "./address";
import { scopeOf, type Scope } from "./board";
import { Rank } from "./Rank";
import styles from "./leaderboard.module.css";

type Sample = Answer<"sample_show">;
type Answers = Sample["systems"][number];

export function SamplePage() {
  const { t } = useTranslation("leaderboard");
  const params = useParams();
  const slug = useSlug();
  const release = Number(params.releaseId);
  const scope = scopeOf(params.scope);
  const ordinal = Number(params.ordinal);
  const [search] = useSearchParams();
  const run = Number(search.get("run")) || undefined;
  const at = ([1, 5, 10] as const).find((one) => one === Number(search.get("at")));
  const outcome = (["hit", "miss", "missing"] as const).find((one) => one === search.get("outcome"));
  const location = useLocation();
  const navigate = useNavigate();
  const sample = useRead(
    "sample_show",
    { path: { id: release, scope, ordinal }, query: { run, at, outcome, category: search.get("category"), distance: search.get("distance") } },
    { keepLast: true },
  );
  const list = fromSamples(location.state);
  const address = `/b/${slug}/releases/${release}/samples`;
  const { previous, next } = beside(ordinal, list, { previous: sample.data?.previous ?? null, next: sample.data?.next ?? null });
  const go = (to: number | null) =>
    to === null
      ? null
      : () => void navigate(`${address}/${scope}/${to}?${search.toString()}`, { state: location.state as unknown, replace: true });
  const filters = new URLSearchParams(search);
  filters.set("scope", scope);
  const back = `${address}${list?.search ?? `?${filters.toString()}`}`;
  const goPrevious = go(previous);
  const goNext = go(next);
  useActions(sampleActions, { previous: goPrevious, next: goNext, list: () => void navigate(back) });
  return (
    <Page
      title={t("sample.title", { number: ordinal + 1, scope: t(`scope.${scope}`) })}
      lead={
        <Link to={back} data-testid="to-samples">
          {t("sample.toList")}
        </Link>
      }
      actions={
        <>
          {goPrevious && (
            <Button keys="p" onClick={goPrevious} data-testid="previous-sample">
              {t("action.previous")}
            </Button>
          )}
          {goNext && (
            <Button keys="n" onClick={goNext} data-testid="next-sample">
              {t("action.next")}
            </Button>
          )}
        </>
      }
    >
      <Loaded of={sample}>{(data) => <SampleView sample={data} scope={scope} run={run} at={at ?? 1} slug={slug} />}</Loaded>
    </Page>
  );
}

function SampleView({ sample, scope, run, at, slug }: { sample: Sample; scope: Scope; run: number | undefined; at: number; slug: string }) {
  const { t } = useTranslation("leaderboard");
  const may = useMay(slug);
  const lang = useContentLanguage(slug);
  const { query } = sample;
  // The system that the page was opened from comes first.
  const systems = [...sample.systems].sort((a, b) => Number(b.run === run) - Number(a.run === run));
  return (
    <div className={styles.sample} data-testid="sample">
      <div className={styles.sampleQuery}>
        {query.text !== null && (
          <section className="card" aria-labelledby="sample-text">
            <h2 id="sample-text">{t("sample.text")}</h2>
            <p className={styles.sampleText} lang={lang} dir="auto" data-testid="query-text">
              {query.text}
            </p>
          </section>
        )}
        <section className="card" aria-labelledby="sample-picture">
          <h2 id="sample-picture">{t(scope === "t2i" ? "sample.gold" : "sample.picture")}</h2>
          <div className={styles.sampleStage}>
            <Stage
              width={query.image.width}
              height={query.image.height}
              view={query.image.view_url}
              clean={query.image.view_url}
              label={query.image.label}
            />
          </div>
          <p className="tiny">
            {may("image_show") ? <Link to={`/b/${slug}/pictures/${query.image.id}`}>{query.image.label}</Link> : query.image.label} ·{" "}
            <Link to={`/b/${slug}/items/${query.item.id}`}>{query.item.label}</Link>
          </p>
        </section>
        <section className="card" aria-labelledby="sample-texts">
          <h2 id="sample-texts">{t(scope === "i2t" ? "sample.goldTexts" : "sample.texts")}</h2>
          <ol className={styles.sampleTexts} lang={lang}>
            {query.texts.map((text, index) => (
              <li key={index} className={text === query.text ? styles.sampleAsked : undefined} dir="auto">
                {text}
              </li>
            ))}
          </ol>
        </section>
      </div>
      <div className={styles.sampleAnswers}>
        {systems.length === 0 && <p className="dim">{t("sample.noSystems")}</p>}
        {systems.map((answers) => (
          <Nearest key={answers.run} answers={answers} scope={scope} at={at} slug={slug} lang={lang} />
        ))}
      </div>
    </div>
  );
}

/** What one system put first, the right ones marked. */
function Nearest({ answers, scope, at, slug, lang }: { answers: Answers; scope: Scope; at: number; slug: string; lang: string | undefined }) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  return (
    <section className="card" data-testid={`nearest-${answers.system.slug}`} data-rank={answers.rank ?? ""}>
      <div className={styles.sampleHead}>
        <h2>
          {answers.system.name} {answers.system.is_demo && <Chip tone="warn">{t("noBaseline")}</Chip>}
        </h2>
        <span>
          {answers.rank === null ? null : <span className="tiny">{t("sample.place")} </span>}
          <Rank rank={answers.rank} at={at} />
        </span>
      </div>
      {answers.nearest.length === 0 ? (
        <p className="dim">{t("sample.nothing")}</p>
      ) : (
        <ol className={scope === "t2i" ? styles.samplePictures : styles.sampleFound}>
          {answers.nearest.map((one, index) => (
            <li key={index} className={one.is_gold ? styles.sampleGold : undefined} data-gold={one.is_gold}>
              <span className="tiny number sample-no">{format.number(index + 1)}</span>
              <Link to={`/b/${slug}/items/${one.item.id}`} aria-label={one.image.label} title={one.image.label}>
                <img src={one.image.thumb_url} alt="" loading="lazy" decoding="async" />
              </Link>
              {one.text !== null && (
                <bdi lang={lang}>{one.text}</bdi>
              )}
              <span className="tiny number">
                {one.is_gold && <b className={styles.sampleRight}>{t("sample.right")} </b>}
                {format.number(one.similarity, 3, 3)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
