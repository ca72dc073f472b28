/** The page of people outside the team: joining, terms of use, and the releases to submit predictions for. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { Answer } from "@/api/request";
import { useLocalised } from "@/i18n/localised";
import { Button, ButtonLink } from "@/ui/Button";
import { Gap } from "@/ui/Gap";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { AddressNeeded } from "./AddressNeeded";
import { CrewSection } from "./Crew";
import { ReleaseTable } from "./OpenReleases";
import styles from "./submissions.module.css";

type Submit = Answer<"submit_show">;

export function SubmitPage() {
  const slug = useSlug();
  const page = useRead("submit_show", { path: { b: slug } });
  return <Loaded of={page}>{(of) => <Submitting of={of} />}</Loaded>;
}

function Submitting({ of }: { of: Submit }) {
  const { t } = useTranslation("submissions");
  const name = useLocalised();
  const isIn = of.participation === "outsider" || of.participation === "member";
  return (
    <Page
      title={name(of.benchmark.title)}
      narrow
      lead={
        <>
          {t("outside.lead")}<Gap /><a href={of.url}>{t("outside.public")}</a>
          {of.participation === "outsider" && (
            <>
              {" · "}
              <Link to={`/submit/${of.benchmark.slug}/errata`}>{t("outside.errata")}</Link>
            </>
          )}
        </>
      }
      actions={of.participation === "member" && <ButtonLink to={`/b/${of.benchmark.slug}/predictions`}>{t("outside.member")}</ButtonLink>}
    >
      {of.terms.sha256 !== "" && <Terms of={of} />}
      {!isIn && <Join of={of} />}
      {isIn && of.terms.accepted && (
        <>
          <section aria-labelledby="submit-releases">
            <h2 id="submit-releases">{t("open.title")}</h2>
            <p className="dim">{t("open.lead")}</p>
            <AddressNeeded />
            <ReleaseTable />
          </section>
          <CrewSection />
        </>
      )}
    </Page>
  );
}

export function Join({ of }: { of: Submit }) {
  const { t } = useTranslation("submissions");
  const join = useWrite("submit_join");
  if (of.participation === "barred") return <Notice tone="warn">{t("outside.barred")}</Notice>;
  if (!of.may_join) return <Notice>{t("outside.invited")}</Notice>;
  return (
    <section className={`card ${styles.submissionWhat}`}>
      <p>{t("outside.joinText")}</p>
      {join.error && <Problem error={join.error} />}
      <Button look="primary" busy={join.isPending} onClick={() => join.mutate({ path: { b: of.benchmark.slug }, body: {} })} data-testid="submit-join">
        {t("outside.join")}
      </Button>
    </section>
  );
}

/** The terms of use: accepted once for each text, before files and submissions. */
export function Terms({ of }: { of: Submit }) {
  const { t } = useTranslation("submissions");
  const name = useLocalised();
  const accept = useWrite("terms_accept");
  return (
    <section className={`card ${styles.submissionWhat}`} aria-labelledby="submit-terms" data-testid="submit-terms" data-accepted={of.terms.accepted}>
      <h2 id="submit-terms">{t("outside.terms")}</h2>
      <p className={styles.submissionTerms}>{name(of.terms.text)}</p>
      {accept.error && <Problem error={accept.error} />}
      {of.terms.accepted ? (
        <p className="dim">{t("outside.accepted")}</p>
      ) : (
        <Button
          look="primary"
          busy={accept.isPending}
          onClick={() => accept.mutate({ path: { b: of.benchmark.slug }, body: { terms_sha256: of.terms.sha256 } })}
          data-testid="submit-accept"
        >
          {t("outside.accept")}
        </Button>
      )}
    </section>
  );
}
