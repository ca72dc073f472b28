/** The failing gates of a release by requirement, each with a link to the page where it can be fixed. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { reasonsIn, trackOf, useBenchmark, useSlug } from "@/api/benchmark";
import type { Gate, ReleaseDetail, Track } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { boardOf } from "@/item/desk";
import { useLocalised } from "@/i18n/localised";
import { Chip } from "@/ui/Chip";
import { Gap } from "@/ui/Gap";
import { Notice } from "@/ui/Notice";
import { groupGates, type GateGroup } from "./gates";
import styles from "./releases.module.css";

/** How many of each group are listed before "show all". */
const FIRST = 24;

export function Gates({ release }: { release: ReleaseDetail }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  const groups = groupGates(release.gates, release.gate_counts);
  const asOf = release.as_of !== null && t("gates.asOf", { time: format.exact(release.as_of) });
  if (!release.is_computed) {
    return (
      <Notice>
        <span data-testid="gates-not-computed">{t("gates.notComputed")}</span>
      </Notice>
    );
  }
  if (groups.length === 0) {
    return (
      <Notice tone="good">
        <span data-testid="gates-open">
          {t("gates.open")}<Gap />{asOf}
        </span>
      </Notice>
    );
  }
  return (
    <section className="card" aria-labelledby="gates" data-testid="gates">
      <h2 id="gates">{t("gates.title")}</h2>
      <p className="dim">{asOf || t("gates.text")}</p>
      {groups.map((group) => (
        <Group key={group.code} group={group} release={release} />
      ))}
    </section>
  );
}

function Group({ group, release }: { group: GateGroup; release: Pick<ReleaseDetail, "id" | "kinds"> }) {
  const { t } = useTranslation("releases");
  const format = useFormat();
  const protocol = useBenchmark(useSlug()).data?.protocol.content;
  // Where to fix something depends on the track; with kinds of both tracks, on what failed.
  const tracks = new Set(release.kinds.map((kind) => trackOf(protocol, kind)));
  const track = tracks.size === 1 ? [...tracks][0] : undefined;
  const [all, setAll] = useState(false);
  const listed = all ? group.gates : group.gates.slice(0, FIRST);
  const unlisted = group.total - group.gates.length;
  return (
    <div className={styles.gate} data-testid={`gate-${group.code}`} data-total={group.total}>
      <h3>
        {t(`gate.${group.code}`, { defaultValue: t("gate.unknown_gate", { name: group.code }), name: group.name })}{" "}
        <Chip tone="warn">{format.number(group.total)}</Chip>
      </h3>
      <p className="dim">{t([`gateFixOf.${track ?? "package"}.${group.code}`, `gateFix.${group.code}`], { defaultValue: "" })}</p>
      <ul className={styles.gateLinks}>
        {listed.map((gate, index) => (
          <li key={index}>
            <Failure gate={gate} track={track ?? trackOf(protocol, gate.label)} />
          </li>
        ))}
      </ul>
      {listed.length < group.gates.length && (
        <button type="button" className="linklike" onClick={() => setAll(true)} data-testid={`gate-${group.code}-all`}>
          {t("gates.all", { number: format.number(group.gates.length) })}
        </button>
      )}
      {unlisted > 0 && (all || listed.length === group.gates.length) && (
        <p className="tiny">
          {t("gates.more", { count: unlisted })}<Gap />
          <a href={`/api/v1/releases/${release.id.toString()}/gates.csv`} download>
            {t("gates.file")}
          </a>
        </p>
      )}
    </div>
  );
}

function Failure({ gate, track }: { gate: Gate; track: Track }) {
  const { t } = useTranslation("releases");
  const detail = useDetail(gate);
  const name = useLocalised();
  const slug = useSlug();
  const categories = useBenchmark(slug).data?.categories ?? [];
  const category = gate.code === "quota" ? categories.find((one) => one.slug === gate.label) : undefined;
  const label = category ? name(category.name) : gate.code === "nothing_accepted" ? t(`ui:kind.${gate.label}`) : gate.label;
  const link = gate.code === "nothing_accepted" && track !== "package" ? boardOf(slug, track, { kind: gate.label }) : gate.link;
  return (
    <>
      <Link to={link}>{label}</Link>
      {detail !== "" && <span className="dim"> {detail}</span>}
    </>
  );
}

/** The reason for one failure; empty where the group's text is enough. */
function useDetail({ code, params }: Gate): string {
  const { t } = useTranslation("releases");
  const format = useFormat();
  const name = useLocalised();
  const licences = reasonsIn(useBenchmark(useSlug()).data?.protocol.content, "images", "licences");
  const values: Record<string, unknown> = { ...params };
  if (typeof params.state === "string") {
    values.state = t(code === "image_not_accepted" ? `ui:imageState.${params.state}` : `ui:itemState.${params.state}`);
  }
  const licence = licences.find((one) => one.code === params.licence);
  if (licence) values.licence = name(licence.name);
  if (code === "quota" && typeof params.subset === "string") values.context = "subset";
  if (code === "image_outside_subset" && params.subset === "") values.context = "none";
  if (Array.isArray(params.splits)) {
    values.splits = format.list(params.splits.map((split) => t(`split.${String(split)}`, { defaultValue: String(split) })));
  }
  return t(`gateDetail.${code}`, { defaultValue: "", ...values });
}
