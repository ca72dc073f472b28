/** One call to a model: what was sent, what came back, what it cost. */
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import type { CallDetail } from "@/api/types";
import { ButtonLink } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { endingText, REFRESH_MS, shownState, TONES } from "./states";
import styles from "./calls.module.css";

export function CallPage() {
  const { t } = useTranslation("calls");
  const slug = useSlug();
  const id = Number(useParams().callId);
  const call = useRead("call_show", { path: { b: slug, id } }, { refetchInterval: (answer) => ((answer as CallDetail | undefined)?.state === "sent" ? REFRESH_MS : false) });
  const isMissing = call.error?.code === "not_found";
  return (
    <Page title={isMissing ? t("ui:notFound.title") : t("numbered", { id })} actions={<ButtonLink to={`/b/${slug}/spending`}>{t("back")}</ButtonLink>}>
      <Loaded of={call}>{(of) => <Detail of={of} />}</Loaded>
    </Page>
  );
}

function Detail({ of }: { of: CallDetail }) {
  const { t } = useTranslation("calls");
  const state = shownState(of);
  return (
    <>
      <p>
        <Chip tone={TONES[state]}>{t(`state.${state}`)}</Chip> {of.model} <span className="dim">{of.server}</span> <Time at={of.sent_at} />
      </p>
      {of.code !== "" && (
        <Notice tone={state === "failed" ? "bad" : "warn"}>
          <span data-testid="ending">{endingText(t, of)}</span>
        </Notice>
      )}
      <p className={`dim ${styles.facts}`}>
        {t("facts", { count: of.tries, purpose: t([`purpose.${of.purpose}`, of.purpose]), tokensIn: of.tokens_in ?? "–", tokensOut: of.tokens_out ?? "–" })}
        {of.currency !== null && ` ${t("reservedLine", { estimate: of.estimate, currency: of.currency })}`}
        {of.cost !== null && of.currency !== null && ` ${t("costLine", { cost: of.cost, currency: of.currency })}`}
        {of.cost_is_estimate && ` ${t("estimated")}`}
      </p>
      <h2 className={styles.heading}>{t("request")}</h2>
      <pre className={`card ${styles.raw}`}>{JSON.stringify(of.request, null, 2)}</pre>
      <h2 className={styles.heading}>{t("reply")}</h2>
      {of.reply === null ? <p className="dim">{t("noReply")}</p> : <pre className={`card ${styles.raw}`}>{of.reply}</pre>}
    </>
  );
}
