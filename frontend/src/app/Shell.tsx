/** The frame around every page but the workspace: where one is, where one can go, and the keys at the foot. */
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, NavLink, Outlet, useLocation, useMatch, useNavigate, useNavigation } from "react-router";
import { useMay, useSession, useSignOut } from "@/api/session";
import { Bell } from "@/features/notices/Bell";
import { useLocalised } from "@/i18n/localised";
import { FootBar, useActions } from "@/ui/keys";
import { Loading } from "@/ui/Loading";
import { Menu, MenuItem } from "@/ui/Menu";
import { ThemeMenu } from "@/ui/ThemeMenu";
import { LanguageMenu } from "./LanguageMenu";
import { lastBenchmark, rememberBenchmark } from "./lastBenchmark";
import { Open } from "./Open";
import { goActions, isInBar, PLACES } from "./places";
import "./shell.css";

/** Pages about the person, in no benchmark; the systems are the whole site's, too. */
const ONES_OWN = ["/account", "/notices"];

export function Shell() {
  const { t } = useTranslation("app");
  const name = useLocalised();
  const session = useSession().data;
  const navigate = useNavigate();
  const inside = useMatch("/b/:slug/*")?.params.slug;
  // On one's own pages the way back stays open.
  const { pathname } = useLocation();
  const isOnesOwn = ONES_OWN.includes(pathname) || pathname.startsWith("/systems");
  const slug = inside ?? (isOnesOwn ? (lastBenchmark() ?? undefined) : undefined);
  const here = session?.benchmarks.find((benchmark) => benchmark.slug === slug);
  const may = useMay(slug ?? "");
  const seesSystems = session?.is_owner === true || (session?.benchmarks.some((one) => one.operations.includes("system_list")) ?? false);
  const signOut = useSignOut();
  const isGoing = useNavigation().state === "loading";

  useEffect(() => {
    if (here) rememberBenchmark(here.slug);
  }, [here]);
  useActions(goActions, { slug: here?.slug, may, go: (path) => void navigate(path) });

  return (
    <div className="shell">
      {isGoing && <div className="going" role="progressbar" aria-label={t("ui:loading")} />}
      <header className="topbar">
        <a className="skip-link" href="#content">
          {t("skip")}
        </a>
        <Link className="brand" to="/" aria-label={t("ui:product")}>
          <img src="/lantern.svg" alt="" width={20} height={20} />
        </Link>
        <span className="benchmark">
          <Menu label={t("switchBenchmark")} text={here ? name(here.title) : t("benchmarks")} testId="benchmark-menu">
            {(close) => (
              <>
                {session?.benchmarks.map((benchmark) => (
                  <MenuItem
                    key={benchmark.slug}
                    checked={benchmark.slug === slug}
                    onChoose={() => {
                      close();
                      void navigate(`/b/${benchmark.slug}`);
                    }}
                  >
                    {name(benchmark.title)}
                  </MenuItem>
                ))}
                <MenuItem
                  onChoose={() => {
                    close();
                    void navigate("/benchmarks");
                  }}
                >
                  {t("allBenchmarks")}
                </MenuItem>
                {seesSystems && (
                  <MenuItem
                    testId="systems"
                    onChoose={() => {
                      close();
                      void navigate("/systems");
                    }}
                  >
                    {t("systems")}
                  </MenuItem>
                )}
              </>
            )}
          </Menu>
        </span>
        <nav aria-label={t("places")}>
          {here &&
            PLACES.filter((place) => isInBar(place, may)).map((place) => (
              <NavLink key={place.name} to={`/b/${here.slug}${place.path}`} end={place.path === ""} data-testid={`nav-${place.name}`}>
                {t(`place.${place.name}`)}
              </NavLink>
            ))}
        </nav>
        <span className="spring" />
        <Bell />
        <ThemeMenu />
        <LanguageMenu />
        <span className="me">
          <Menu label={t("you")} text={session?.person.name ?? ""} right testId="person-menu">
            {(close) => (
              <>
                <div className="menu-heading">
                  {session?.person.username}
                  {here && here.roles.length > 0 && ` · ${here.roles.map((role) => t([`ui:role.${role}`, role])).join(" · ")}`}
                </div>
                <MenuItem
                  testId="account"
                  onChoose={() => {
                    close();
                    void navigate("/account");
                  }}
                >
                  {t("account.title")}
                </MenuItem>
                <MenuItem
                  testId="sign-out"
                  onChoose={() => {
                    close();
                    void signOut();
                  }}
                >
                  {t("signOut")}
                </MenuItem>
              </>
            )}
          </Menu>
        </span>
      </header>
      <div id="content" tabIndex={-1} style={{ outline: "none", minWidth: 0 }}>
        <Suspense fallback={<Loading />}>
          <Open>
            <Outlet />
          </Open>
        </Suspense>
      </div>
      <FootBar />
    </div>
  );
}
