/** The frame around every page but the workspace: top bar, content and the keys at the foot. */
import { lazy, Suspense, useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, NavigationType, NavLink, Outlet, useLocation, useMatch, useNavigate, useNavigation, useNavigationType } from "react-router";
import { useBenchmark, useHasBoard, useRoleName, useTracks } from "@/api/benchmark";
import { useMay, useSession, useSignOut } from "@/api/session";
import type { SessionBenchmark } from "@/api/types";
import { Bell } from "@/features/notices/Bell";
import { useLocalised } from "@/i18n/localised";
import { FootBar, useActions } from "@/ui/keys";
import { Loading } from "@/ui/Loading";
import { Menu, type MenuEntry } from "@/ui/Menu";
import { ThemeMenu } from "@/ui/ThemeMenu";
import { LanguageMenu } from "./LanguageMenu";
import { lastBenchmark, rememberBenchmark } from "./lastBenchmark";
import { AccessGate } from "./AccessGate";
import { goActions, isInBar, isLeftToDeeper, markedPlace, PLACES } from "./places";
import styles from "./shell.module.css";

const LobbySign = lazy(async () => ({ default: (await import("@/features/dialogues/LobbySign")).LobbySign }));

/** Pages about the person, outside every benchmark; the systems belong to the whole site, too. */
const PERSONAL_PAGES = ["/account", "/notices"];

export function Shell() {
  const { t } = useTranslation("app");
  const navigate = useNavigate();
  const here = useBenchmarkInView();
  const may = useMay(here?.slug ?? "");
  const tracks = useTracks(here?.slug);
  const hasBoard = useHasBoard(here?.slug);
  const isGoing = useNavigation().state === "loading";
  const places = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const below = here ? pathname.slice(`/b/${here.slug}`.length) : "";
  const marked = here && markedPlace(below);

  useEffect(() => {
    if (here) rememberBenchmark(here.slug);
  }, [here]);
  // On a telephone the row of places is wider than the screen.
  useEffect(() => {
    const current = places.current?.querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [pathname, here]);
  // Another page begins at its top; going back, the browser finds the earlier place.
  const isBack = useNavigationType() === NavigationType.Pop;
  useEffect(() => {
    if (!isBack) document.documentElement.scrollTop = 0;
  }, [pathname, isBack]);
  const reader = { may, tracks, hasBoard, kinds: here?.kinds ?? [] };
  const shown = PLACES.filter((place) => isInBar(place, reader));
  useActions(goActions, { slug: here?.slug, ...reader, go: (path) => void navigate(path) });

  return (
    <div className={styles.shell}>
      {isGoing && <div className={styles.going} role="progressbar" aria-label={t("ui:loading")} />}
      <header className={styles.topbar}>
        <a className={styles.skipLink} href="#content">
          {t("skip")}
        </a>
        <Link className={styles.brand} to="/" aria-label={t("ui:product")}>
          <img src="/lantern.svg" alt="" width={20} height={20} />
        </Link>
        <BenchmarkMenu here={here} />
        {here && (
          <nav ref={places} aria-label={t("places")}>
            {shown.map((place) => (
              <PlaceLink key={place.name} to={`/b/${here.slug}${place.path}`} isMarked={place.name === marked} end={place.path === "" || isLeftToDeeper(below, place, shown)} testId={`nav-${place.name}`}>
                {t(`place.${place.name}`)}
              </PlaceLink>
            ))}
          </nav>
        )}
        <span className={styles.spring} />
        <Bell />
        <ThemeMenu />
        <LanguageMenu />
        <PersonMenu here={here} />
      </header>
      <div id="content" tabIndex={-1} style={{ outline: "none", minWidth: 0 }}>
        <Suspense fallback={<Loading />}>
          <AccessGate>
            <Outlet />
          </AccessGate>
        </Suspense>
      </div>
      <FootBar />
      {here?.kinds.includes("dialogue") === true && may("lobby_join") && (
        <Suspense fallback={null}>
          <LobbySign key={here.slug} slug={here.slug} />
        </Suspense>
      )}
    </div>
  );
}

/** A place in the top bar; marked where its own pages are shown, and those that belong to it. */
function PlaceLink({ to, isMarked, end, testId, children }: { to: string; isMarked: boolean; end: boolean; testId: string; children: ReactNode }) {
  if (isMarked) {
    return (
      <Link to={to} aria-current="true" data-testid={testId}>
        {children}
      </Link>
    );
  }
  return (
    <NavLink to={to} end={end} data-testid={testId}>
      {children}
    </NavLink>
  );
}

/** The benchmark in the address; on pages about the person the last one, so that the way back stays open. */
function useBenchmarkInView(): SessionBenchmark | undefined {
  const benchmarks = useSession().data?.benchmarks;
  const inAddress = useMatch("/b/:slug/*")?.params.slug;
  const { pathname } = useLocation();
  const isOutside = PERSONAL_PAGES.includes(pathname) || pathname.startsWith("/systems") || /^\/help(\/|$)/.test(pathname);
  const slug = inAddress ?? (isOutside ? lastBenchmark() : undefined);
  return benchmarks?.find((benchmark) => benchmark.slug === slug);
}

function BenchmarkMenu({ here }: { here: SessionBenchmark | undefined }) {
  const { t } = useTranslation("app");
  const name = useLocalised();
  const session = useSession().data;
  const navigate = useNavigate();
  const seesSystems = session?.is_owner === true || (session?.benchmarks.some((one) => one.operations.includes("system_list")) ?? false);
  const entries: MenuEntry[] = (session?.benchmarks ?? []).map((benchmark) => ({
    key: benchmark.slug,
    text: name(benchmark.title),
    checked: benchmark.slug === here?.slug,
    onChoose: () => void navigate(`/b/${benchmark.slug}`),
  }));
  // No benchmark's slug holds a blank.
  for (const slug of session?.submits_to ?? []) {
    entries.push({ key: `submit to ${slug}`, text: t("submitTo", { slug }), onChoose: () => void navigate(`/submit/${slug}`) });
  }
  entries.push({ key: "all benchmarks", text: t("allBenchmarks"), onChoose: () => void navigate("/benchmarks") });
  if (seesSystems) entries.push({ key: "the systems", text: t("systems"), onChoose: () => void navigate("/systems"), testId: "systems" });
  return (
    <span className={styles.benchmark}>
      <Menu label={t("switchBenchmark")} text={here ? name(here.title) : t("benchmarks")} entries={entries} testId="benchmark-menu" />
    </span>
  );
}

function PersonMenu({ here }: { here: SessionBenchmark | undefined }) {
  const { t } = useTranslation("app");
  const person = useSession().data?.person;
  const navigate = useNavigate();
  const signOut = useSignOut();
  const roleName = useRoleName(useBenchmark(here?.slug ?? "", { enabled: here !== undefined }).data);
  const roles = here?.roles.map(roleName) ?? [];
  return (
    <span className={styles.me}>
      <Menu
        label={t("you")}
        text={person?.name ?? ""}
        heading={[person?.username, ...roles].join(" · ")}
        entries={[
          { key: "account", text: t("account.title"), onChoose: () => void navigate("/account"), testId: "account" },
          { key: "help", text: t("help"), onChoose: () => void navigate("/help"), testId: "help" },
          { key: "sign out", text: t("signOut"), onChoose: () => void signOut(), testId: "sign-out" },
        ]}
        right
        testId="person-menu"
      />
    </span>
  );
}
