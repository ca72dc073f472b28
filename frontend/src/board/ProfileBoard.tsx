/** What a profile scores: by a tag of the questions, two rows compared, as charts and files. */
import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import type { ApiError } from "@/api/errors";
import { useMay } from "@/api/session";
import type { ProfileBoard as Board, SystemsCompared } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useRowName } from "@/run/rowName";
import { ChoiceChips } from "@/ui/ChoiceChips";
import { SelectField } from "@/ui/Field";
import { Loaded } from "@/ui/Loaded";
import type { Filters } from "@/ui/useFilters";
import { Charts, Downloads } from "./Charts";
import { Compared } from "./Compared";
import { GroupTable } from "./GroupTable";
import type { Pair } from "./pair";
import styles from "./board.module.css";

type Row = Board["rows"][number];

interface Props {
  board: Board;
  pair: Pair | null;
  compared: { data: SystemsCompared | undefined; error: ApiError | null; refetch: () => unknown };
  onChange: Filters["set"];
}

export function ProfileBoard({ board, pair, compared, onChange }: Props) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  if (board.rows.length === 0) return null;
  const shown = board.charts.filter(({ name }) => name.startsWith("leaderboard.") || name.startsWith(`groups-${board.tag}.`));
  return (
    <>
      <section className={styles.part} aria-labelledby="profile-groups" data-testid="profile-board">
        <h2 id="profile-groups">{t("profile.title")}</h2>
        <Choices board={board} onChange={onChange} />
        {board.tag === "" ? <p className="dim">{t("profile.noTags")}</p> : <GroupTable board={board} />}
        {board.least_group > 0 && <p className="tiny">{t("submissions:report.leastGroup", { least: format.number(board.least_group) })}</p>}
        <Downloads charts={shown} testId="profile-downloads" />
      </section>
      <Comparison board={board} pair={pair} compared={compared} onChange={onChange} />
      <Charts charts={shown} stamp={board.rows.map(({ key }) => key).join("-")} id="profile-charts" />
    </>
  );
}

function Choices({ board, onChange }: Pick<Props, "board" | "onChange">) {
  const { t } = useTranslation("leaderboard");
  const format = useFormat();
  return (
    <div className={`filters ${styles.picks}`}>
      {board.profiles.length > 1 && (
        <SelectField label={t("submissions:column.profile")} value={board.profile} onChange={(event) => onChange({ profile: event.target.value, tag: undefined })} data-testid="profile">
          {board.profiles.map((one) => (
            <option key={one} value={one}>
              {t(`submissions:profileName.${one}`, { defaultValue: one })}
            </option>
          ))}
        </SelectField>
      )}
      {board.tags.length > 1 && (
        <ChoiceChips
          label={t("profile.tag")}
          value={board.tag}
          choices={board.tags.map((tag) => ({ value: tag, text: t(`samples:tags.${tag}`, { defaultValue: tag }), testId: `tag-${tag}` }))}
          onChoose={(tag) => onChange({ tag })}
        />
      )}
      {board.chance !== null && (
        <span className="tiny" data-testid="chance">
          {t("profile.chance", { chance: format.percent(board.chance, 1, 1) })}
        </span>
      )}
    </div>
  );
}

function Comparison({ board, pair, compared, onChange }: Props) {
  const { t } = useTranslation("leaderboard");
  const slug = useSlug();
  const maySee = useMay(slug)("prediction_list");
  const rows = board.rows.filter((row) => row.is_comparable);
  const nameOf = useRowName(board.rows);
  const [one, other] = [pair?.one, pair?.other].map((key) => rows.find((row) => row.key === key));
  if (!one || !other) return null;
  const pick = (name: keyof Pair, chosen: Row) => (
    <SelectField label={t(`compare.${name}`)} value={chosen.key} onChange={(event) => onChange({ [`row_${name}`]: event.target.value })} data-testid={`row-${name}`}>
      {rows.map((row) => (
        <option key={row.key} value={row.key}>
          {nameOf(row)}
        </option>
      ))}
    </SelectField>
  );
  // Samples compare runs with each other, by their first profile.
  const hasSamples = maySee && one.has_samples && other.has_samples;
  const samples = (of: Row, against: Row) => (hasSamples ? `/b/${slug}/runs/${of.run}/samples?against=${against.run}&than=better` : undefined);
  const names = { one: nameOf(one), other: nameOf(other) };
  return (
    <section className={styles.part} aria-labelledby="profile-compare">
      <h2 id="profile-compare">{t("profile.compare")}</h2>
      <div className={`filters ${styles.picks}`}>
        {pick("one", one)}
        {pick("other", other)}
      </div>
      {one.key === other.key ? (
        <p className="dim">{t("compare.same")}</p>
      ) : (
        <Loaded of={compared}>
          {(data) => (
            <Compared
              compared={data}
              names={names}
              shares={(shares) => t("compare.sharesRight", { ...names, ...shares })}
              links={{ one: samples(one, other), other: samples(other, one) }}
            />
          )}
        </Loaded>
      )}
    </section>
  );
}
