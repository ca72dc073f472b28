/** The frame of the pages about teams' work: the board, spot checks, and credit. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useMay } from "@/api/session";
import { Page } from "@/ui/Page";

const TABS = [
  { name: "board", path: "", operation: "team_board" },
  { name: "spotChecks", path: "/spot-checks", operation: "spot_check_list" },
  { name: "credit", path: "/credit", operation: "credit_list" },
] as const;

interface TeamPageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function TeamPage({ title, lead, actions, children }: TeamPageProps) {
  const { t } = useTranslation("team");
  const slug = useSlug();
  const may = useMay(slug);
  return (
    <Page title={title} lead={lead} actions={actions}>
      <nav className="tabs" aria-label={t("title")}>
        {TABS.filter((tab) => may(tab.operation)).map((tab) => (
          <NavLink key={tab.name} to={`/b/${slug}/team${tab.path}`} end data-testid={`tab-${tab.name}`}>
            {t(`tab.${tab.name}`)}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  );
}
