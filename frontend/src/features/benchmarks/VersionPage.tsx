/** One version of a protocol, readable, and its file as it was written. */
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { useBenchmark, useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { ProtocolView } from "./ProtocolView";
import { SourceText } from "./SourceText";
import styles from "./benchmarks.module.css";

export function VersionPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const version = Number(useParams().version);
  const protocol = useRead("protocol_show", { path: { b: slug, version } });
  const zone = useBenchmark(slug).data?.zone;
  return (
    <Page title={t("versions.of", { version })} actions={<ButtonLink to={`/b/${slug}/protocol/versions`}>{t("versions.title")}</ButtonLink>}>
      <Loaded of={protocol}>
        {(data) => (
          <>
            <p className={`dim ${styles.versionFacts}`}>
              {data.created_by?.name ?? t("versions.noAuthor")} · <Time at={data.created_at} />
            </p>
            {!data.is_current && (
              <Notice action={<ButtonLink small to={`/b/${slug}/protocol`}>{t("versions.current")}</ButtonLink>}>{t("versions.past")}</Notice>
            )}
            <ProtocolView content={data.content} version={data.version} name={data.name} planned={data.planned} pairs={data.pairs} zone={zone} />
            {data.source !== "" && <SourceText source={data.source} sha256={data.source_sha256} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
