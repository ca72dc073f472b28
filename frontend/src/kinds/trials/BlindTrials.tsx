/** What a model answered to a question without its picture: how often it was right in each language, and its replies. */
import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import type { Answer } from "@/api/request";
import { useLanguageName } from "@/i18n/languageName";
import { Chip } from "@/ui/Chip";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import { TableHead } from "@/ui/TableHead";
import { Time } from "@/ui/Time";
import { WideTable } from "@/ui/WideTable";
import styles from "./trials.module.css";

type Trials = Answer<"blind_trial_list">;
type Trial = Trials["trials"][number];

/** Time between looks at a question that the model has not answered, in milliseconds. */
const LOOK_AGAIN_MS = 15_000;

/** Renders nothing where there are no trials or they cannot be read, because no work waits for them. */
export function BlindTrials({ itemId }: { itemId: number }) {
  const { t } = useTranslation("kinds");
  const { data, refetch } = useRead(
    "blind_trial_list",
    { path: { id: itemId } },
    { refetchInterval: (answer) => ((answer as Trials | undefined)?.state === "waiting" ? LOOK_AGAIN_MS : false) },
  );
  if (data === undefined || data.state === "none") return null;
  return (
    <section className="card" aria-label={t("blindTrials.title")} data-testid="blind-trials" data-state={data.state}>
      <h2>{t("blindTrials.title")}</h2>
      {data.state === "hidden" && <p className="dim">{t("blindTrials.hidden")}</p>}
      {data.state === "waiting" && <Waiting trials={data} onRetry={() => void refetch()} />}
      {data.state === "done" && (
        <>
          {data.flagged ? (
            <Notice tone="warn">
              <span data-testid="blind-trials-flagged">{t("blindTrials.flagged")}</span>
            </Notice>
          ) : (
            <p className="dim">{t("blindTrials.notFlagged")}</p>
          )}
          {data.trials.map((trial) => (
            <OneLanguage key={trial.language} trial={trial} />
          ))}
        </>
      )}
    </section>
  );
}

function Waiting({ trials, onRetry }: { trials: Trials; onRetry: () => void }) {
  const { t } = useTranslation("kinds");
  const { error_code: code, retry_at: retryAt, worker_alive: isAlive } = trials;
  return (
    <>
      {code === null ? (
        <p className="dim">{isAlive ? t("blindTrials.waiting") : t("blindTrials.noWorker")}</p>
      ) : (
        <Problem error={{ code, params: trials.error_params }} onRetry={onRetry} />
      )}
      {retryAt !== null && (
        <p className="tiny">
          <Time at={retryAt} sentence={(time) => t("blindTrials.retry", { time })} />
        </p>
      )}
    </>
  );
}

function OneLanguage({ trial }: { trial: Trial }) {
  const { t } = useTranslation("kinds");
  const languageName = useLanguageName();
  const { hits, tries } = trial;
  return (
    <div className={styles.trial} data-testid="blind-trial">
      <p>
        {t("blindTrials.hits", { language: languageName(trial.language), hits, tries })}{" "}
        {trial.flagged && <Chip tone="warn">{t("blindTrials.flag")}</Chip>}
      </p>
      <details>
        <summary>{t("blindTrials.replies")}</summary>
        <p className="tiny">{t("blindTrials.by", { model: trial.model, prompt: trial.prompt })}</p>
        <WideTable label={t("blindTrials.replies")}>
          <table className="table">
            <TableHead columns={[t("blindTrials.right"), t("blindTrials.read"), t("blindTrials.reply")]} />
            <tbody>
              {trial.answers.map((answer) => (
                <tr key={answer.right}>
                  <td>{answer.right}</td>
                  <td>{answer.letter ?? <span className="dim">{t("blindTrials.noLetter")}</span>}</td>
                  <td>{answer.reply === "" ? <span className="dim">{t("blindTrials.empty")}</span> : <bdi>{answer.reply}</bdi>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      </details>
    </div>
  );
}
