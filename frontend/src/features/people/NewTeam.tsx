/** A new team: its name and, where the protocol lists pairs of country and language, the pair it is for. */
import { useState, type SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import { inProtocol } from "@/api/benchmark";
import { useRead, useWrite } from "@/api/queries";
import type { Benchmark, Pair, Team } from "@/api/types";
import { useLocalised } from "@/i18n/localised";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/Field";
import { Loaded } from "@/ui/Loaded";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import styles from "./people.module.css";

interface Props {
  benchmark: Benchmark;
  /** The open teams of the benchmark. */
  teams: readonly Team[];
  onDone: () => void;
}

export function NewTeam({ benchmark, teams, onDone }: Props) {
  const hasPairs = typeof inProtocol(benchmark.protocol.content, "taxonomy", "pairs") === "string";
  return hasPairs ? <NewTeamOfPair benchmark={benchmark} teams={teams} onDone={onDone} /> : <TeamForm slug={benchmark.slug} onDone={onDone} />;
}

function NewTeamOfPair({ benchmark, teams, onDone }: Props) {
  const { t } = useTranslation("people");
  const protocol = useRead("protocol_show", { path: { b: benchmark.slug, version: benchmark.protocol.version } });
  const taken = new Set(teams.map((team) => team.pair?.slug));
  return (
    <Loaded of={protocol}>
      {({ pairs }) => {
        const free = pairs.filter((pair) => !taken.has(pair.slug));
        if (free.length > 0) return <TeamForm slug={benchmark.slug} pairs={free} onDone={onDone} />;
        return (
          <Notice
            action={
              <Button small onClick={onDone}>
                {t("ui:close")}
              </Button>
            }
          >
            {t("teams.pairsTaken")}
          </Notice>
        );
      }}
    </Loaded>
  );
}

function TeamForm({ slug, pairs, onDone }: { slug: string; pairs?: readonly Pair[]; onDone: () => void }) {
  const { t } = useTranslation("people");
  const create = useWrite("team_create");
  const localised = useLocalised();
  const nameOf = (pair: Pair) => t("teams.pair", { country: localised(pair.country), language: localised(pair.language) });
  const [chosen, setChosen] = useState<Pair | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? (chosen ? nameOf(chosen) : "");
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    create.mutate({ path: { b: slug }, body: { name: name.trim(), ...(chosen && { pair: chosen.slug }) } }, { onSuccess: onDone });
  };
  return (
    <form className={`card form ${styles.peopleForm}`} onSubmit={onSubmit}>
      {pairs && (
        <SelectField
          label={t("teams.pairLabel")}
          value={chosen?.slug ?? ""}
          autoFocus
          required
          onChange={(event) => setChosen(pairs.find((pair) => pair.slug === event.target.value) ?? null)}
          data-testid="team-pair"
        >
          <option value="">{t("choose")}</option>
          {pairs.map((pair) => (
            <option key={pair.slug} value={pair.slug}>
              {nameOf(pair)}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={t("teams.name")}
        hint={pairs ? undefined : t("teams.nameHint")}
        value={name}
        maxLength={120}
        autoFocus={!pairs}
        required
        onChange={(event) => setTyped(event.target.value)}
        data-testid="team-name"
      />
      {create.error && <Problem error={create.error} />}
      <div className="row-actions">
        <Button type="submit" look="primary" busy={create.isPending} data-testid="save-team">
          {t("teams.make")}
        </Button>
        <Button onClick={onDone}>{t("ui:cancel")}</Button>
      </div>
    </form>
  );
}
