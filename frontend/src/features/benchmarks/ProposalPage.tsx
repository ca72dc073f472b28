/** A protocol text that an administrator proposed: what it would change, and its adoption by another one. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { Proposal } from "@/api/types";
import { Button, ButtonLink } from "@/ui/Button";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Problem } from "@/ui/Problem";
import { Time } from "@/ui/Time";
import { toasts } from "@/ui/toasts";
import { useWarningText } from "@/ui/warnings";
import { ChangeList } from "./ChangeList";
import { RoleChanges } from "./RoleChanges";
import { SourceText } from "./SourceText";
import styles from "./benchmarks.module.css";

export function ProposalPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const proposal = useRead("protocol_proposal_show", { path: { id: Number(useParams().proposal) } });
  return (
    <Page
      title={t("proposal.title")}
      lead={t("proposal.lead")}
      actions={<ButtonLink to={`/b/${slug}/protocol/versions`}>{t("versions.title")}</ButtonLink>}
    >
      <Loaded of={proposal}>{(data) => <ProposalDetails slug={slug} proposal={data} />}</Loaded>
    </Page>
  );
}

function ProposalDetails({ slug, proposal }: { slug: string; proposal: Proposal }) {
  const { t } = useTranslation("benchmarks");
  const navigate = useNavigate();
  const client = useQueryClient();
  const adopt = useWrite("protocol_adopt");
  const warningText = useWarningText();
  const withdraw = useWrite("protocol_proposal_withdraw");
  const error = adopt.error ?? withdraw.error;
  const versions = `/b/${slug}/protocol/versions`;
  const adoptProposal = () => {
    adopt.mutate(
      { path: { b: proposal.benchmark }, body: { text: proposal.source, base_version: proposal.version - 1 } },
      {
        onSuccess: (created) => {
          toasts.show(t("adopt.done", { version: created.version }));
          void client.invalidateQueries({ queryKey: ["benchmark_show"] }).then(() => navigate(`${versions}/${String(created.version)}`));
        },
      },
    );
  };
  const withdrawProposal = () => {
    withdraw.mutate(
      { path: { id: proposal.id } },
      {
        onSuccess: () => {
          toasts.show(t(proposal.is_own ? "proposal.withdrawn" : "proposal.rejected"));
          void navigate(versions);
        },
      },
    );
  };
  return (
    <div className={styles.proposal}>
      <p className="dim">
        {t("proposal.of", { version: proposal.version, name: proposal.proposed_by.name })} · <Time at={proposal.created_at} />
      </p>
      {proposal.state !== "open" && <Notice>{t(`proposal.state.${proposal.state}`)}</Notice>}
      {proposal.state === "open" && !proposal.may_adopt && <Notice>{t("proposal.waits")}</Notice>}
      {proposal.asks_consent_again && <Notice tone="warn">{t("adopt.consentChanges")}</Notice>}
      {proposal.warnings.map((warning) => (
        <Notice key={warning.path} tone="warn">
          {warningText(warning)}
        </Notice>
      ))}
      <RoleChanges changes={proposal.role_changes} under={1} />
      <ChangeList changes={proposal.changes} under={1} />
      <SourceText source={proposal.source} sha256={proposal.source_sha256} />
      {error && <Problem error={error} />}
      {proposal.state === "open" && (
        <div className="row-actions">
          {proposal.may_adopt && (
            <Button look="primary" busy={adopt.isPending} disabled={withdraw.isPending} onClick={adoptProposal} data-testid="adopt">
              {t("adopt.go", { version: proposal.version })}
            </Button>
          )}
          <Button busy={withdraw.isPending} disabled={adopt.isPending} onClick={withdrawProposal} data-testid="withdraw">
            {proposal.is_own ? t("proposal.withdraw") : t("proposal.reject")}
          </Button>
        </div>
      )}
    </div>
  );
}
