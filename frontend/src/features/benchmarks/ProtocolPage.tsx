/** The protocol in force. */
import { useTranslation } from "react-i18next";
import { inProtocol, useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { Benchmark } from "@/api/types";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Page } from "@/ui/Page";
import { ProtocolView } from "./ProtocolView";
import { UrlSetting } from "./UrlSetting";
import { useMayAdopt } from "./VersionsPage";

export function ProtocolPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  const mayAdopt = useMayAdopt(slug);
  const may = useMay(slug);
  const actions = (
    <>
      <ButtonLink to={`/b/${slug}/protocol/versions`} data-testid="versions-link">
        {t("versions.title")}
      </ButtonLink>
      <ButtonLink to={`/b/${slug}/protocol/lists`} data-testid="lists-link">
        {t("lists.link")}
      </ButtonLink>
      {mayAdopt && (
        <ButtonLink to={`/b/${slug}/protocol/new`} data-testid="adopt-link">
          {t("adopt.title")}
        </ButtonLink>
      )}
    </>
  );
  return (
    <Page title={t("protocol.title")} lead={t("protocol.lead")} actions={actions}>
      {may("url_setting_update") && <UrlSetting slug={slug} />}
      <Loaded of={benchmark}>{(data) => <InForce benchmark={data} />}</Loaded>
    </Page>
  );
}

function InForce({ benchmark }: { benchmark: Benchmark }) {
  const { content, version, name, planned } = benchmark.protocol;
  // Only a protocol with pairs has more to show than the benchmark's own answer carries.
  const hasPairs = typeof inProtocol(content, "taxonomy", "pairs") === "string";
  const whole = useRead("protocol_show", { path: { b: benchmark.slug, version } }, { enabled: hasPairs, staleTime: Infinity });
  return (
    <ProtocolView
      content={content}
      version={version}
      name={name}
      planned={planned}
      zone={benchmark.zone}
      categories={benchmark.categories}
      axes={benchmark.axes}
      pairs={whole.data?.pairs ?? []}
    />
  );
}
