/** Where the link of a team leads: after joining the benchmark and accepting its terms, one joins the team. */
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import { useLinkToken } from "@/ui/useLinkToken";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Join, Terms } from "./SubmitPage";
import styles from "./submissions.module.css";

export function CrewInvitation() {
  const { t } = useTranslation("submissions");
  const name = useLocalised();
  const slug = useSlug();
  const token = useLinkToken();
  const page = useRead("submit_show", { path: { b: slug } });
  return (
    <Loaded of={page}>
      {(of) => {
        const isIn = of.participation === "outsider" || of.participation === "member";
        return (
          <Page title={name(of.benchmark.title)} narrow lead={<Link to={`/submit/${slug}`}>{t("outside.back")}</Link>}>
            {!isIn && <Join of={of} />}
            {isIn && !of.terms.accepted && <Terms of={of} />}
            {isIn && of.terms.accepted && (token === "" ? <Notice tone="warn">{t("crew.noToken")}</Notice> : <Accept token={token} />)}
          </Page>
        );
      }}
    </Loaded>
  );
}

function Accept({ token }: { token: string }) {
  const { t } = useTranslation("submissions");
  const slug = useSlug();
  const navigate = useNavigate();
  const read = useRead("crew_invitation", { path: { b: slug }, body: { token } }, { staleTime: Infinity });
  const own = useRead("crew_show", { path: { b: slug } });
  const join = useWrite("crew_join");
  return (
    <Loaded of={read}>
      {(invitation) => (
        <section className={`card ${styles.submissionWhat}`} data-testid="crew-invitation">
          <h2>{t("crew.invited", { name: invitation.name })}</h2>
          <p className="dim">
            {t("crew.size", { count: invitation.members })}<Gap />{t("crew.rule")}
          </p>
          {join.error && <Problem error={join.error} />}
          {own.data?.may_join === false ? (
            <Notice tone="warn">{t(own.data.crew === null ? "crew.submitted" : "crew.already", { name: own.data.crew?.name })}</Notice>
          ) : (
            <Button
              look="primary"
              busy={join.isPending}
              onClick={() => join.mutate({ path: { b: slug }, body: { token } }, { onSuccess: () => void navigate(`/submit/${slug}`) })}
              data-testid="crew-join"
            >
              {t("crew.join")}
            </Button>
          )}
        </section>
      )}
    </Loaded>
  );
}
