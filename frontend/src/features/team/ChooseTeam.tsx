/** The teams, for those who see every board and are in none of the teams. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Team } from "@/api/types";
import styles from "./team.module.css";

interface ChooseTeamProps {
  teams: readonly Team[];
  /** Address of a team's board. */
  boardOf: (team: number) => string;
}

export function ChooseTeam({ teams, boardOf }: ChooseTeamProps) {
  const { t } = useTranslation("team");
  return (
    <section aria-labelledby="choose-team">
      <h2 id="choose-team">{t("choose.title")}</h2>
      <ul className={styles.teams} data-testid="teams">
        {teams.map((team) => (
          <li key={team.id}>
            <Link to={boardOf(team.id)} data-testid={`team-${team.name}`}>
              {team.name}
            </Link>
            <span className="dim">
              {t("choose.members", { count: team.members.length })}
              {team.lead !== null && ` · ${t("choose.lead", { name: team.lead.name })}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
