/** The protocol in force, readable: every number that decides something, where it comes from, and what is not built yet. */
import { type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol, reasonsIn, useBenchmark, useSlug } from "@/api/benchmark";
import type { Benchmark, Localised } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { Answered } from "@/ui/Answered";
import { Chip } from "@/ui/Chip";
import { Page } from "@/ui/Page";
import { isLocalised, SettingTree } from "./SettingTree";
import "./benchmarks.css";

export function ProtocolPage() {
  const { t } = useTranslation("benchmarks");
  const slug = useSlug();
  const benchmark = useBenchmark(slug);
  return (
    <Page title={t("protocol.title")} lead={t("protocol.lead")}>
      <Answered of={benchmark}>{(data) => <Protocol benchmark={data} />}</Answered>
    </Page>
  );
}

function Protocol({ benchmark }: { benchmark: Benchmark }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const { content, version, planned } = benchmark.protocol;
  const read = (...keys: string[]) => inProtocol(content, ...keys);
  const number = (...keys: string[]) => {
    const value = read(...keys);
    return typeof value === "number" ? format.number(value) : "–";
  };
  const text = (...keys: string[]) => {
    const value = read(...keys);
    return typeof value === "string" ? value : "–";
  };
  const title = read("meta", "title");
  const summary = read("meta", "summary");
  const kinds = Object.entries((read("kinds") ?? {}) as Record<string, unknown>);
  const plannedSettings = (read("planned") ?? {}) as Record<string, unknown>;
  return (
    <div className="protocol" data-testid="protocol">
      <section className="card">
        <h2>{isLocalised(title) ? name(title) : benchmark.protocol.name}</h2>
        {isLocalised(summary) && <p className="dim">{name(summary)}</p>}
        <Facts
          rows={[
            [t("protocol.version"), format.number(version)],
            [t("protocol.source"), text("meta", "source")],
            [t("protocol.content"), t([`protocol.language.${text("languages", "content")}`, text("languages", "content")])],
            [t("protocol.zone"), benchmark.zone],
          ]}
        />
      </section>

      <section className="card">
        <h2>{t("protocol.package.title")}</h2>
        <Facts
          rows={[
            [t("protocol.package.size"), number("tracks", "package", "size")],
            [t("protocol.package.sample"), `${number("tracks", "package", "sample_percent")} %`],
            [t("protocol.package.pass"), t("protocol.package.over", { percent: number("tracks", "package", "pass_over_percent") })],
            [t("protocol.package.selfCheck"), read("tracks", "package", "self_check") === true ? t("protocol.yes") : t("protocol.no")],
          ]}
        />
      </section>

      <section className="card">
        <h2>{t("protocol.images.title")}</h2>
        <Facts
          rows={[
            [t("protocol.images.formats"), ((read("images", "formats") ?? []) as string[]).join(", ")],
            [t("protocol.images.bytes"), <Range key="bytes" of={read("images", "bytes")} show={format.bytes} />],
            [t("protocol.images.side"), <Range key="side" of={read("images", "side")} show={(value) => `${format.number(value)} px`} />],
            [t("protocol.images.aspect"), t("protocol.images.ratio", { ratio: format.number(Number(read("images", "aspect_maximum_percent") ?? 0) / 100, 2) })],
            [t("protocol.images.near"), t("protocol.images.bits", { bits: number("images", "near_duplicate_distance") })],
            [t("protocol.images.originals"), read("images", "keep_originals") === true ? t("protocol.images.kept") : t("protocol.images.notKept")],
          ]}
        />
        <h3 style={{ margin: "14px 0 6px" }}>{t("protocol.images.licences")}</h3>
        <ul className="chips">
          {reasonsIn(content, "images", "licences").map((licence) => (
            <li key={licence.code}>
              <Chip tone={(licence as { releasable?: boolean }).releasable === true ? "good" : undefined} title={licence.code}>
                {name(licence.name)}
              </Chip>
            </li>
          ))}
        </ul>
        <p className="tiny" style={{ marginTop: 6 }}>
          {t("protocol.images.releasable")}
        </p>
        <h3 style={{ margin: "14px 0 6px" }}>{t("protocol.images.reasons")}</h3>
        <ol className="chips">
          {reasonsIn(content, "images", "refusal_reasons").map((reason, i) => (
            <li key={reason.code}>
              <Chip>
                {i + 1} {name(reason.name)}
              </Chip>
            </li>
          ))}
        </ol>
      </section>

      <section className="card">
        <h2>{t("protocol.release.title")}</h2>
        <Facts
          rows={[
            [t("protocol.release.licence"), text("release", "licence")],
            ...(["train", "valid", "test"] as const).map(
              (split): [string, ReactNode] => [t(`protocol.release.${split}`), `${number("release", "splits", split)} %`],
            ),
          ]}
        />
      </section>

      {kinds.map(([kind, settings]) => (
        <section className="card" key={kind}>
          <h2>{t([`ui:kind.${kind}`, kind])}</h2>
          <SettingTree value={settings} />
        </section>
      ))}

      {planned.length > 0 && (
        <section className="card">
          <h2>{t("protocol.planned.title")}</h2>
          <p className="dim">{t("protocol.planned.text")}</p>
          {planned.map((kind) => (
            <details key={kind} style={{ marginTop: 8 }}>
              <summary>
                {t([`ui:kind.${kind}`, kind])} <Chip>{t("protocol.planned.chip")}</Chip>
              </summary>
              <SettingTree value={plannedSettings[kind]} />
            </details>
          ))}
        </section>
      )}

      <Categories benchmark={benchmark} />
    </div>
  );
}

function Categories({ benchmark }: { benchmark: Benchmark }) {
  const { t } = useTranslation("benchmarks");
  const name = useLocalised();
  const format = useFormat();
  const fields = new Map<string, { name: Localised; categories: Benchmark["categories"] }>();
  for (const category of benchmark.categories) {
    const field = fields.get(category.field.slug) ?? { name: category.field.name, categories: [] };
    field.categories.push(category);
    fields.set(category.field.slug, field);
  }
  return (
    <section className="card wide">
      <h2>{t("protocol.categories", { categories: format.number(benchmark.categories.length), fields: format.number(fields.size) })}</h2>
      <div className="fields">
        {[...fields].map(([slug, field]) => (
          <section key={slug}>
            <h3>{name(field.name)}</h3>
            <ul className="dim">
              {field.categories.map((category) => (
                <li key={category.slug}>{name(category.name)}</li>
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
