import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { useSlug } from "@/api/benchmark";
import { useMay } from "@/api/session";
import { Page } from "@/ui/Page";

const TABS = [
  { name: "people", path: "", operation: "person_list" },
  { name: "teams", path: "/teams", operation: "team_list" },
  { name: "invitations", path: "/invitations", operation: "invitation_list" },
  { name: "outsiders", path: "/outsiders", operation: "outsider_list" },
] as const;

/** The frame of the pages about people: who is here, in which teams, who has been invited. */
export function PeoplePage({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation("people");
  const slug = useSlug();
  const may = useMay(slug);
  return (
    <Page title={t("title")} lead={t("lead")} actions={actions}>
      <nav className="tabs" aria-label={t("title")}>
        {TABS.filter((tab) => may(tab.operation)).map((tab) => (
          <NavLink key={tab.name} to={`/b/${slug}/people${tab.path}`} end data-testid={`tab-${tab.name}`}>
            {t(`tab.${tab.name}`)}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  );
}
