/** A protocol's settings for pictures: formats, sizes, licences, reasons and subsets. */
import { useTranslation } from "react-i18next";
import { reasonsIn } from "@/api/benchmark";
import type { Localised } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { Coded, FactRow, Facts, Range, useSettings } from "./facts";

export function ProtocolImages({ content }: { content: Record<string, unknown> }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const { read, number, list } = useSettings(content);
  const quota = read("images", "quota");
  return (
    <section className="card">
      <h2>{t("protocol.images.title")}</h2>
      <Facts
        rows={[
          [t("protocol.images.formats"), list("images", "formats").join(", ")],
          [t("protocol.images.bytes"), <Range key="bytes" of={read("images", "bytes")} show={format.bytes} />],
          [t("protocol.images.side"), <Range key="side" of={read("images", "side")} show={(value) => `${format.number(value)} px`} />],
          [t("protocol.images.aspect"), t("protocol.images.ratio", { ratio: format.number(Number(read("images", "aspect_maximum_percent") ?? 0) / 100, 2) })],
          [t("protocol.images.near"), t("protocol.images.bits", { count: Number(read("images", "near_duplicate_distance") ?? 0) })],
          [t("protocol.images.originals"), read("images", "keep_originals") === true ? t("protocol.images.kept") : t("protocol.images.notKept")],
          [
            t("protocol.images.sources"),
            list("images", "sources")
              .map((source) => t([`protocol.images.source.${source}`, source]))
              .join(t("list")),
          ],
          ...(quota
            ? [
                [
                  t("protocol.images.quota"),
                  t("protocol.images.quotaOf", { minimum: number("images", "quota", "per_category_minimum"), target: number("images", "quota", "per_category_target") }),
                ] as const,
              ]
            : []),
        ]}
      />
      <h3>{t("protocol.images.licences")}</h3>
      <ul className="chips">
        {reasonsIn(content, "images", "licences").map((licence) => (
          <li key={licence.code}>
            <Chip tone={(licence as { releasable?: boolean }).releasable === true ? "good" : undefined} title={licence.code}>
              {name(licence.name)}
            </Chip>
          </li>
        ))}
      </ul>
      <p className="tiny">{t("protocol.images.releasable")}</p>
      <Sites sites={reasonsIn(content, "images", "sites")} />
      <Coded title={t("protocol.images.reasons")} entries={reasonsIn(content, "images", "refusal_reasons")} numbered />
      <Coded title={t("protocol.images.withdrawal")} entries={reasonsIn(content, "images", "takedown_reasons")} />
      <Subsets subsets={reasonsIn(content, "images", "subsets")} />
    </section>
  );
}

function Sites({ sites }: { sites: readonly { code: string; name: Localised }[] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  if (sites.length === 0) return null;
  return (
    <>
      <h3>{t("protocol.images.sites")}</h3>
      <dl className="facts">
        {sites.map((site) => {
          const { hosts = [], licences = [] } = site as { hosts?: string[]; licences?: string[] };
          return <FactRow key={site.code} term={name(site.name)} value={`${hosts.join(", ")} · ${licences.join(", ")}`} />;
        })}
      </dl>
    </>
  );
}

type Quota = { per_category_minimum: number; per_category_target: number } | null;

function Subsets({ subsets }: { subsets: readonly { code: string; name: Localised }[] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  if (subsets.length === 0) return null;
  const quotaOf = ({ quota }: { quota?: Quota }) =>
    quota ? t("protocol.images.quotaOfSubset", { minimum: quota.per_category_minimum, target: quota.per_category_target }) : "";
  return (
    <>
      <h3>{t("protocol.images.subsets")}</h3>
      <dl className="facts">
        {subsets.map((subset) => (
          <FactRow key={subset.code} term={name(subset.name)} value={[name((subset as { rule?: Localised }).rule), quotaOf(subset as { quota?: Quota })].join(" ")} />
        ))}
      </dl>
    </>
  );
}
