/** A protocol for reading: its settings, roles, reasons and lists, and what is planned. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol, reasonsIn } from "@/api/benchmark";
import type { Benchmark, Pair } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { Coded, Codes, Facts, Later, useSettings } from "./facts";
import { plannedIn } from "./planned";
import { ProtocolImages } from "./ProtocolImages";
import { Categories, Dimensions, Pairs } from "./ProtocolLists";
import { ProtocolPeople } from "./ProtocolPeople";
import { isLocalised, SettingTree } from "./SettingTree";
import styles from "./benchmarks.module.css";

interface ProtocolViewProps {
  content: Record<string, unknown>;
  version: number;
  name: string;
  planned: readonly string[];
  zone?: string | undefined;
  categories?: Benchmark["categories"];
  axes?: Benchmark["axes"];
  pairs?: readonly Pair[];
}

export function ProtocolView({ content, version, name: shortName, planned, zone, categories, axes = [], pairs = [] }: ProtocolViewProps) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const { read, number, text } = useSettings(content);
  const title = read("meta", "title");
  const summary = read("meta", "summary");
  const language = (code: string) => t([`protocol.language.${code}`, code]);
  const kinds = Object.entries((read("kinds") ?? {}) as Record<string, unknown>);
  const consent = read("consent", "text");
  return (
    <div className={styles.protocol} data-testid="protocol">
      <section className="card">
        <h2>{isLocalised(title) ? name(title) : shortName}</h2>
        {isLocalised(summary) && <p className="dim">{name(summary)}</p>}
        <Facts
          rows={[
            [t("protocol.version"), format.number(version)],
            [t("protocol.source"), text("meta", "source")],
            [t("protocol.content"), language(text("languages", "content"))],
            ...(typeof read("languages", "translation") === "string" ? [[t("protocol.translation"), language(text("languages", "translation"))] as const] : []),
            ...(zone === undefined ? [] : [[t("protocol.zone"), zone] as const]),
          ]}
        />
      </section>

      <ProtocolPeople content={content} planned={planned} />

      {isLocalised(consent) && (
        <section className="card">
          <h2>{t("protocol.consent.title", { version: number("consent", "version") })}</h2>
          <p className="dim">{name(consent)}</p>
          <Coded title={t("protocol.consent.eligibility")} entries={reasonsIn(content, "consent", "eligibility")} />
          <Facts rows={[[t("protocol.consent.uses"), t([`protocol.consent.donors.${text("consent", "donors", "uses")}`, text("consent", "donors", "uses")])]]} />
        </section>
      )}

      <PackageSettings content={content} />
      <OtherTracks content={content} />
      <ProtocolImages content={content} />
      <ReleaseSettings content={content} planned={planned} />

      {kinds.map(([kind, settings]) => (
        <section className="card" key={kind}>
          <h2>{t([`ui:kind.${kind}`, kind])}</h2>
          <SettingTree value={settings} />
        </section>
      ))}

      <Planned content={content} planned={planned} />
      {pairs.length > 0 && <Pairs pairs={pairs} />}
      {categories !== undefined && <Categories categories={categories} />}
      <Dimensions axes={axes} />
    </div>
  );
}

function PackageSettings({ content }: { content: Record<string, unknown> }) {
  const { t } = useTranslation("benchmarks");
  const { read, number } = useSettings(content);
  return (
    <section className="card">
      <h2>{t("protocol.package.title")}</h2>
      {read("tracks", "package") ? (
        <Facts
          rows={[
            [t("protocol.package.size"), number("tracks", "package", "size")],
            [t("protocol.package.sample"), `${number("tracks", "package", "sample_percent")}%`],
            [t("protocol.package.pass"), t("protocol.package.over", { percent: number("tracks", "package", "pass_over_percent") })],
            [t("protocol.package.selfCheck"), read("tracks", "package", "self_check") === true ? t("protocol.yes") : t("protocol.no")],
          ]}
        />
      ) : (
        <p className="dim">{t("protocol.package.none")}</p>
      )}
    </section>
  );
}

/** The settings of the tracks other than packages, which have a card of their own. */
function OtherTracks({ content }: { content: Record<string, unknown> }) {
  const { t } = useTranslation("benchmarks");
  const all = Object.entries((inProtocol(content, "tracks") ?? {}) as Record<string, unknown>);
  const tracks = all.filter(([track, settings]) => settings !== null && track !== "package" && track !== "planned");
  return tracks.map(([track, settings]) => (
    <section className="card" key={track} data-testid={`${track}-settings`}>
      <h2>{t([`ui:track.${track}`, track])}</h2>
      <SettingTree value={settings} />
    </section>
  ));
}

function ReleaseSettings({ content, planned }: { content: Record<string, unknown>; planned: readonly string[] }) {
  const { t } = useTranslation("benchmarks");
  const { read, number, text, list } = useSettings(content);
  return (
    <section className="card">
      <h2>{t("protocol.release.title")}</h2>
      <Facts
        rows={[
          [t("protocol.release.licence"), text("release", "licence")],
          ...(["train", "valid", "test"] as const).map((split): [string, ReactNode] => [t(`protocol.release.${split}`), `${number("release", "splits", split)}%`]),
          [t("protocol.release.gates"), <Codes key="gates" codes={list("release", "gates")} waiting={plannedIn(planned, "release.gates")} />],
          [t("protocol.release.exporters"), <Codes key="exporters" codes={list("release", "exporters")} waiting={plannedIn(planned, "release.exporters")} />],
          [t("protocol.release.suites"), <Codes key="suites" codes={list("evaluation", "suites")} waiting={plannedIn(planned, "evaluation.suites")} />],
          [t("protocol.release.systems"), <Codes key="systems" codes={list("evaluation", "systems")} waiting={plannedIn(planned, "evaluation.systems")} />],
        ]}
      />
      <Later of={read("release", "planned", "settings")} />
      <Later of={read("evaluation", "planned", "settings")} />
    </section>
  );
}

/** Kinds and tracks that have settings but are not available yet. */
function Planned({ content, planned }: { content: Record<string, unknown>; planned: readonly string[] }) {
  const { t } = useTranslation("benchmarks");
  const kinds = plannedIn(planned, "kinds").map((kind) => [t([`ui:kind.${kind}`, kind]), inProtocol(content, "planned", kind)] as const);
  const tracks = plannedIn(planned, "tracks").map((track) => [t([`ui:track.${track}`, track]), inProtocol(content, "tracks", "planned", track)] as const);
  if (kinds.length + tracks.length === 0) return null;
  return (
    <section className="card" data-testid="planned">
      <h2>{t("protocol.planned.title")}</h2>
      <p className="dim">{t("protocol.planned.text")}</p>
      {[...kinds, ...tracks].map(([title, settings]) => (
        <details key={title} className={styles.later}>
          <summary>
            {title} <Chip tone="warn">{t("protocol.planned.chip")}</Chip>
          </summary>
          <SettingTree value={settings} />
        </details>
      ))}
    </section>
  );
}
