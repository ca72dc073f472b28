/** What readers outside the team see: the switch of the public pages, the releases on them, terms and citation. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { Publication } from "@/api/types";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { CitationForm } from "./CitationForm";
import { PublicReleases } from "./PublicReleases";
import { TermsForm } from "./TermsForm";
import styles from "./publication.module.css";

export function PublicationPage() {
  const { t } = useTranslation("publication");
  const slug = useSlug();
  const publication = useRead("publication_show", { path: { b: slug } });
  return (
    <Page title={t("title")} lead={t("lead")} narrow>
      <Loaded of={publication}>
        {(of) => (
          <>
            <Switch of={of} slug={slug} />
            <PublicReleases rows={of.releases} isOpen={of.is_open} />
            <TermsForm key={`terms ${JSON.stringify(of.terms)}`} of={of} slug={slug} />
            <CitationForm key={`citation ${JSON.stringify(of.citation)}`} of={of} slug={slug} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Switch({ of, slug }: { of: Publication; slug: string }) {
  const { t, i18n } = useTranslation("publication");
  const [asking, setAsking] = useState(false);
  const update = useWrite("publication_update");
  const may = of.available_actions.includes("publication_update");
  const change = () => update.mutate({ path: { b: slug }, body: { is_open: !of.is_open } }, { onSuccess: () => setAsking(false) });
  return (
    <section className={`card ${styles.part}`} aria-labelledby="switch" data-testid="public-switch">
      <h2 id="switch">
        {t("switch.title")} <Chip tone={of.is_open ? "good" : undefined}>{t(of.is_open ? "switch.open" : "switch.closed")}</Chip>
      </h2>
      <p className="dim">{t(of.is_open ? "switch.openText" : "switch.closedText")}</p>
      <p className="dim">{of.samples.length > 0 ? t("samples", { splits: of.samples.map((one) => t(`releases:split.${one}`)).join(" · ") }) : t("noSamples")}</p>
      <div className="row-actions">
        {of.is_open && (
          <a href={of.url} target="_blank" rel="noreferrer" data-testid="public-address">
            {`${window.location.origin}${of.url}`}
          </a>
        )}
        <a href={`${of.preview_url}${i18n.language}/`} target="_blank" rel="noreferrer" data-testid="public-preview">
          {t("preview")}
        </a>
      </div>
      {update.error && <Problem error={update.error} />}
      {may &&
        (asking ? (
          <Notice tone="warn">
            {t(of.is_open ? "switch.closeAsk" : "switch.openAsk")}
            <div className="row-actions">
              <Button look={of.is_open ? "danger" : "primary"} busy={update.isPending} onClick={change} data-testid="public-confirm">
                {t(of.is_open ? "switch.close" : "switch.openGo")}
              </Button>
              <Button onClick={() => setAsking(false)}>{t("ui:cancel")}</Button>
            </div>
          </Notice>
        ) : (
          <Button look={of.is_open ? "plain" : "primary"} onClick={() => setAsking(true)} data-testid="public-toggle">
            {t(of.is_open ? "switch.close" : "switch.openGo")}
          </Button>
        ))}
    </section>
  );
}
