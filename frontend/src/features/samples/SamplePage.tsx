/** One entry of a run: what was sent, what came back and what was read in it, beside the other runs. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { Prediction } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Stage } from "@/picture/Stage";
import { Manner } from "@/run/Manner";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Loaded } from "@/ui/Loaded";
import { Page } from "@/ui/Page";
import { useActions } from "@/ui/keys";
import { sampleActions } from "./actions";
import { viewIn } from "./filters";
import { Others } from "./Others";
import { OverrideDialog } from "./OverrideDialog";
import { Prompt } from "./Prompt";
import { Reply } from "./Reply";
import styles from "./samples.module.css";

/** Milliseconds between two polls while an answer that a person read is being scored. */
const POLL = 3_000;

function isPending(sample: Prediction | undefined): boolean {
  return sample !== undefined && sample.overrides.length > 0 && sample.corrected === null;
}

export function SamplePage() {
  const { t } = useTranslation("samples");
  const params = useParams();
  const slug = useSlug();
  const format = useFormat();
  const id = Number(params.runId);
  const no = Number(params.no);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [open, setOpen] = useState<number | null>(null);
  const sample = useRead(
    "prediction_show",
    { path: { id, ordinal: no }, query: { ...viewIn(search) } },
    { keepLast: true, refetchInterval: (answer) => (isPending(answer as Prediction | undefined) ? POLL : false) },
  );
  const base = `/b/${slug}/runs/${id}/samples`;
  const query = search.toString() === "" ? "" : `?${search.toString()}`;
  // What is shown while the next one is fetched is still the last.
  const data = sample.data?.no === no ? sample.data : undefined;
  const go = (to: number | null | undefined) => (to == null ? null : () => void navigate(`${base}/${to}${query}`, { replace: true }));
  const [goPrevious, goNext] = [go(data?.previous), go(data?.next)];
  const mayOverride = data?.available_actions.includes("prediction_override") === true;
  const override = mayOverride ? () => setOpen(no) : null;
  useActions(sampleActions, { previous: goPrevious, next: goNext, override, list: () => void navigate(`${base}${query}`) });
  return (
    <Page
      title={t("sample.title", { number: format.number(no) })}
      lead={
        <>
          <Link to={`${base}${query}`} data-testid="to-samples">
            {t("sample.toList")}
          </Link>
          {data && (
            <>
              {" · "}
              <Link to={`/b/${slug}/runs/${id}`}>{data.run.system.name}</Link>
              <span className={`tiny ${styles.manner}`}>
                <Manner of={data.run.manner} />
              </span>
            </>
          )}
        </>
      }
      actions={
        <>
          {goPrevious && (
            <Button keys="k" onClick={goPrevious} data-testid="previous-sample">
              {t("action.previous")}
            </Button>
          )}
          {goNext && (
            <Button keys="j" onClick={goNext} data-testid="next-sample">
              {t("action.next")}
            </Button>
          )}
          {override && (
            <Button keys="o" onClick={override} data-testid="open-override">
              {t("action.override")}
            </Button>
          )}
        </>
      }
    >
      <Loaded of={sample}>{(shown) => <Sample sample={shown} slug={slug} />}</Loaded>
      {data && open === no && <OverrideDialog sample={data} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function Sample({ sample, slug }: { sample: Prediction; slug: string }) {
  const { t } = useTranslation("samples");
  return (
    <div className={styles.sample} data-testid="sample" data-no={sample.no}>
      <div className={styles.column}>
        <section className="card" aria-labelledby="sample-question">
          <h2 id="sample-question">{t("sample.question")}</h2>
          <p className={styles.text} dir="auto">
            {sample.text}
          </p>
          <Options sample={sample} />
          <Tags sample={sample} />
        </section>
        {sample.picture && (
          <section className="card" aria-labelledby="sample-picture">
            <h2 id="sample-picture">{t("sample.picture")}</h2>
            <div className={styles.stage}>
              <Stage
                width={sample.picture.width}
                height={sample.picture.height}
                view={sample.picture.url}
                clean={sample.picture.url}
                label={sample.picture.name}
              />
            </div>
          </section>
        )}
      </div>
      <div className={styles.column}>
        <Reply sample={sample} />
        <Others sample={sample} slug={slug} />
        <Prompt messages={sample.messages} />
      </div>
    </div>
  );
}

/** The options with the right one marked; without any, the right answer. */
function Options({ sample }: { sample: Prediction }) {
  const { t } = useTranslation("samples");
  if (sample.options.length === 0)
    return (
      <p className={styles.right} data-testid="right-answer">
        <span className="tiny">{t("sample.right")}</span> <bdi>{sample.right}</bdi>
      </p>
    );
  return (
    <ol className={styles.options} data-testid="options">
      {sample.options.map((option) => (
        <li key={option.name} className={option.is_right ? styles.isRight : undefined} data-right={option.is_right}>
          <span className="mono">{option.name}</span>
          <bdi>{option.text}</bdi>
          {option.is_right && <Chip tone="good">{t("sample.right")}</Chip>}
        </li>
      ))}
    </ol>
  );
}

function Tags({ sample }: { sample: Prediction }) {
  const { t } = useTranslation("samples");
  return (
    <p className={styles.tags}>
      <span className="tiny">{sample.key}</span>
      {Object.entries(sample.tags).map(([name, value]) => (
        <Chip key={name} title={t(`tags.${name}`, { defaultValue: name })}>
          {value}
        </Chip>
      ))}
    </p>
  );
}
