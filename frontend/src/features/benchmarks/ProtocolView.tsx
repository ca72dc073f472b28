/** A protocol, readable: every number that decides something, where it comes from, and what is not built yet. */
import { type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol, reasonsIn } from "@/api/benchmark";
import type { Benchmark, Localised, Pair } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { isWaiting, plannedIn } from "./planned";
import { isLocalised, SettingTree } from "./SettingTree";

interface Shown {
  content: Record<string, unknown>;
  version: number;
  name: string;
  planned: readonly string[];
  zone?: string | undefined;
  categories?: Benchmark["categories"];
  pairs?: readonly Pair[];
}

export function ProtocolView({ content, version, name: shortName, planned, zone, categories, pairs = [] }: Shown) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const read = (...keys: string[]) => inProtocol(content, ...keys);
  const number = (...keys: string[]) => {
    const value = read(...keys);
    return typeof value === "number" ? format.number(value) : "–";
  };
  const text = (...keys: string[]) => {
    const value = read(...keys);
    return typeof value === "string" ? value : "–";
  };
  const list = (...keys: string[]) => {
    const value = read(...keys);
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
  };
  const title = read("meta", "title");
  const summary = read("meta", "summary");
  const language = (code: string) => t([`protocol.language.${code}`, code]);
  const kinds = Object.entries((read("kinds") ?? {}) as Record<string, unknown>);
  const consent = read("consent", "text");
  const quota = read("images", "quota");
  return (
    <div className="protocol" data-testid="protocol">
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

      <People content={content} planned={planned} />

      {isLocalised(consent) && (
        <section className="card">
          <h2>{t("protocol.consent.title", { version: number("consent", "version") })}</h2>
          <p className="dim">{name(consent)}</p>
          <Coded title={t("protocol.consent.eligibility")} entries={reasonsIn(content, "consent", "eligibility")} />
          <Facts rows={[[t("protocol.consent.uses"), t([`protocol.consent.donors.${text("consent", "donors", "uses")}`, text("consent", "donors", "uses")])]]} />
        </section>
      )}

      <section className="card">
        <h2>{t("protocol.package.title")}</h2>
        {read("tracks", "package") ? (
          <Facts
            rows={[
              [t("protocol.package.size"), number("tracks", "package", "size")],
              [t("protocol.package.sample"), `${number("tracks", "package", "sample_percent")} %`],
              [t("protocol.package.pass"), t("protocol.package.over", { percent: number("tracks", "package", "pass_over_percent") })],
              [t("protocol.package.selfCheck"), read("tracks", "package", "self_check") === true ? t("protocol.yes") : t("protocol.no")],
            ]}
          />
        ) : (
          <p className="dim">{t("protocol.package.none")}</p>
        )}
      </section>

      <section className="card">
        <h2>{t("protocol.images.title")}</h2>
        <Facts
          rows={[
            [t("protocol.images.formats"), list("images", "formats").join(", ")],
            [t("protocol.images.bytes"), <Range key="bytes" of={read("images", "bytes")} show={format.bytes} />],
            [t("protocol.images.side"), <Range key="side" of={read("images", "side")} show={(value) => `${format.number(value)} px`} />],
            [t("protocol.images.aspect"), t("protocol.images.ratio", { ratio: format.number(Number(read("images", "aspect_maximum_percent") ?? 0) / 100, 2) })],
            [t("protocol.images.near"), t("protocol.images.bits", { bits: number("images", "near_duplicate_distance") })],
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
        <Coded title={t("protocol.images.takedown")} entries={reasonsIn(content, "images", "takedown_reasons")} />
        <Subsets subsets={reasonsIn(content, "images", "subsets")} />
      </section>

      <section className="card">
        <h2>{t("protocol.release.title")}</h2>
        <Facts
          rows={[
            [t("protocol.release.licence"), text("release", "licence")],
            ...(["train", "valid", "test"] as const).map((split): [string, ReactNode] => [t(`protocol.release.${split}`), `${number("release", "splits", split)} %`]),
            [t("protocol.release.gates"), <Codes key="gates" codes={list("release", "gates")} waiting={plannedIn(planned, "release.gates")} />],
            [t("protocol.release.exporters"), <Codes key="exporters" codes={list("release", "exporters")} waiting={plannedIn(planned, "release.exporters")} />],
            [t("protocol.release.suites"), <Codes key="suites" codes={list("evaluation", "suites")} waiting={plannedIn(planned, "evaluation.suites")} />],
            [t("protocol.release.systems"), <Codes key="systems" codes={list("evaluation", "systems")} waiting={plannedIn(planned, "evaluation.systems")} />],
          ]}
        />
        <Later of={read("release", "planned", "settings")} />
        <Later of={read("evaluation", "planned", "settings")} />
      </section>

      {kinds.map(([kind, settings]) => (
        <section className="card" key={kind}>
          <h2>{t([`ui:kind.${kind}`, kind])}</h2>
          <SettingTree value={settings} />
        </section>
      ))}

      <Planned content={content} planned={planned} />
      {pairs.length > 0 && <Pairs pairs={pairs} />}
      {categories !== undefined && <Categories categories={categories} />}
    </div>
  );
}

function People({ content, planned }: { content: Record<string, unknown>; planned: readonly string[] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const roles = reasonsIn(content, "roles");
  const teams = inProtocol(content, "teams");
  const most = inProtocol(teams, "size_maximum");
  const people = inProtocol(content, "people");
  const words = (capability: string) => {
    const [what = "", kind] = capability.split(":");
    const said = t([`people:capability.${what}`, what]);
    return kind === undefined ? said : t("people:capabilityOf", { what: said, kind: t([`ui:kind.${kind}`, kind]) });
  };
  return (
    <section className="card">
      <h2>{t("protocol.people.title")}</h2>
      <dl className="facts">
        {roles.map((role) => (
          <FactRow
            key={role.code}
            term={name(role.name)}
            value={
              <ul className="chips">
                {((role as { capabilities?: string[] }).capabilities ?? []).map((capability) => (
                  <li key={capability}>
                    <Chip tone={isWaiting(planned, capability) ? "warn" : undefined} title={capability}>
                      {words(capability)}
                    </Chip>
                  </li>
                ))}
              </ul>
            }
          />
        ))}
        {typeof most === "number" && <FactRow term={t("protocol.people.teams")} value={t("protocol.people.teamOf", { people: format.number(most) })} />}
        {typeof most === "number" && (
          <FactRow term={t("protocol.people.lead")} value={inProtocol(teams, "lead_may_invite") === true ? t("protocol.yes") : t("protocol.no")} />
        )}
      </dl>
      {planned.some((path) => path.startsWith("capabilities.")) && <p className="tiny">{t("protocol.people.waiting")}</p>}
      {people !== undefined && people !== null && <Later of={people} title={t("protocol.people.numbers")} />}
    </section>
  );
}

/** Settings that are kept and shown, and decide nothing yet. */
function Later({ of, title }: { of: unknown; title?: string }) {
  const { t } = useTranslation("benchmarks");
  if (typeof of !== "object" || of === null || Object.keys(of).length === 0) return null;
  return (
    <details className="later">
      <summary>
        {title ?? t("protocol.planned.settings")} <Chip tone="warn">{t("protocol.planned.chip")}</Chip>
      </summary>
      <SettingTree value={of} />
    </details>
  );
}

function Planned({ content, planned }: { content: Record<string, unknown>; planned: readonly string[] }) {
  const { t } = useTranslation("benchmarks");
  const kinds = plannedIn(planned, "kinds").map((kind) => [t([`ui:kind.${kind}`, kind]), inProtocol(content, "planned", kind)] as const);
  const tracks = plannedIn(planned, "tracks").map((track) => [t([`protocol.track.${track}`, track]), inProtocol(content, "tracks", "planned", track)] as const);
  if (kinds.length + tracks.length === 0) return null;
  return (
    <section className="card" data-testid="planned">
      <h2>{t("protocol.planned.title")}</h2>
      <p className="dim">{t("protocol.planned.text")}</p>
      {[...kinds, ...tracks].map(([title, settings]) => (
        <details key={title} className="later">
          <summary>
            {title} <Chip tone="warn">{t("protocol.planned.chip")}</Chip>
          </summary>
          <SettingTree value={settings} />
        </details>
      ))}
    </section>
  );
}

function Codes({ codes, waiting }: { codes: readonly string[]; waiting: readonly string[] }) {
  const { t } = useTranslation("benchmarks");
  if (codes.length + waiting.length === 0) return <span className="faint">–</span>;
  return (
    <ul className="chips">
      {codes.map((code) => (
        <li key={code}>
          <Chip>{t([`name.${code}`, code])}</Chip>
        </li>
      ))}
      {waiting.map((code) => (
        <li key={code}>
          <Chip tone="warn" title={t("protocol.planned.chip")}>
            {t([`name.${code}`, code])} · {t("protocol.planned.chip")}
          </Chip>
        </li>
      ))}
    </ul>
  );
}

function Coded({ title, entries, numbered = false }: { title: string; entries: readonly { code: string; name: Localised }[]; numbered?: boolean }) {
  const name = useLocalised();
  if (entries.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ol className="chips">
        {entries.map((entry, i) => (
          <li key={entry.code}>
            <Chip>
              {numbered && `${String(i + 1)} `}
              {name(entry.name)}
            </Chip>
          </li>
        ))}
      </ol>
    </>
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

function Subsets({ subsets }: { subsets: readonly { code: string; name: Localised }[] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  if (subsets.length === 0) return null;
  return (
    <>
      <h3>{t("protocol.images.subsets")}</h3>
      <dl className="facts">
        {subsets.map((subset) => (
          <FactRow key={subset.code} term={name(subset.name)} value={name((subset as { rule?: Localised }).rule)} />
        ))}
      </dl>
    </>
  );
}

function Pairs({ pairs }: { pairs: readonly Pair[] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const continents = [...new Set(pairs.map((pair) => pair.continent))];
  return (
    <section className="card wide">
      <h2>{t("protocol.pairs", { pairs: format.number(pairs.length) })}</h2>
      <div className="fields">
        {continents.map((continent) => (
          <section key={continent}>
            <h3>{t([`continent.${continent}`, continent])}</h3>
            <ul className="dim">
              {pairs
                .filter((pair) => pair.continent === continent)
                .map((pair) => (
                  <li key={pair.slug}>
                    {name(pair.country)} · {name(pair.language)} <span className="faint">{t([`script.${pair.script}`, pair.script])}</span>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

function Categories({ categories }: { categories: Benchmark["categories"] }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const fields = new Map<string, { name: Localised; categories: Benchmark["categories"] }>();
  for (const category of categories) {
    const field = fields.get(category.field.slug) ?? { name: category.field.name, categories: [] };
    field.categories.push(category);
    fields.set(category.field.slug, field);
  }
  return (
    <section className="card wide">
      <h2>{t("protocol.categories", { categories: format.number(categories.length), fields: format.number(fields.size) })}</h2>
      <div className="fields">
        {[...fields].map(([slug, field]) => (
          <section key={slug}>
            <h3>{name(field.name)}</h3>
            <ul className="dim">
              {field.categories.map((category) => (
                <li key={category.slug}>
                  {name(category.name)}
                  {category.definition && <p className="tiny">{name(category.definition)}</p>}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {rows.map(([term, value]) => (
        <FactRow key={term} term={term} value={value} />
      ))}
    </dl>
  );
}

function FactRow({ term, value }: { term: string; value: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Range({ of, show }: { of: unknown; show: (value: number) => string }) {
  const minimum = inProtocol(of, "minimum");
  const maximum = inProtocol(of, "maximum");
  return (
    <>
      {typeof minimum === "number" ? show(minimum) : "–"} – {typeof maximum === "number" ? show(maximum) : "–"}
    </>
  );
}
