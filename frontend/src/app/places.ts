/** The places of a benchmark: one list for the top bar, the "g …" keys and the palette. */
import type { Track } from "@/api/types";
import type { Action } from "@/ui/keys";

interface Place {
  name: string;
  /** Below /b/:slug. */
  path: string;
  /** Second key after "g". */
  key: string;
  /** Shown when the person's roles cover one of these; always when empty. */
  operations: readonly string[];
  /** Not in the top bar, which has no room for it; reached from another place, by key and by the palette. */
  aside?: boolean;
  /** Shown only where the protocol has people do some kind of work in one of these tracks. */
  tracks?: readonly Track[];
  /** Shown only where the protocol has a category board. */
  onlyWithBoard?: boolean;
  /** Shown only where the protocol has this kind of work. */
  kind?: string;
  /** The place whose entry in the top bar is marked on the pages of this one. */
  within?: string;
  /** Not in the top bar for those who may do one of these; they reach it from another place. */
  asideWith?: readonly string[];
}

export const PLACES: readonly Place[] = [
  { name: "home", path: "", key: "h", operations: [] },
  { name: "work", path: "/work", key: "w", tracks: ["package"], operations: ["work_next", "package_claim", "package_review_take", "item_inspect"] },
  { name: "team", path: "/team", key: "c", tracks: ["peer"], operations: ["team_board"] },
  { name: "writing", path: "/write", key: "3", tracks: ["panel", "pair"], operations: ["team_board"] },
  { name: "clicking", path: "/write/click", key: "4", tracks: ["pair"], operations: ["click_claim"], asideWith: ["team_board"] },
  { name: "dialogues", path: "/write/dialogue", key: "5", tracks: ["pair"], kind: "dialogue", operations: ["lobby_join"] },
  { name: "spotChecks", path: "/team/spot-checks", key: "k", tracks: ["peer"], operations: ["spot_check_list"], aside: true },
  { name: "credit", path: "/team/credit", key: "o", tracks: ["peer"], operations: ["credit_list"], aside: true },
  { name: "pictures", path: "/pictures", key: "i", operations: ["image_list"] },
  { name: "categoryBoard", path: "/category-board", key: "1", operations: ["category_board_show"], onlyWithBoard: true },
  { name: "packages", path: "/packages", key: "p", tracks: ["package"], operations: ["package_list"] },
  { name: "items", path: "/items", key: "t", operations: ["item_list"] },
  { name: "imports", path: "/imports", key: "f", operations: ["import_list"], aside: true, within: "items" },
  { name: "quality", path: "/quality", key: "q", operations: ["quality_show"] },
  { name: "guidelines", path: "/guidelines", key: "d", operations: ["guideline_list"] },
  { name: "releases", path: "/releases", key: "r", operations: ["release_list"] },
  { name: "publicPages", path: "/public-pages", key: "z", operations: ["publication_show"], aside: true },
  { name: "errata", path: "/errata", key: "g", operations: ["erratum_list"], aside: true, within: "releases" },
  { name: "evaluation", path: "/runs", key: "e", operations: ["run_list"] },
  { name: "sets", path: "/sets", key: "2", operations: ["set_list"], aside: true, within: "evaluation" },
  { name: "predictions", path: "/predictions", key: "x", operations: ["submission_releases"], asideWith: ["run_list"] },
  { name: "people", path: "/people", key: "m", operations: ["person_list", "invitation_list"] },
  { name: "audit", path: "/audit", key: "a", operations: ["audit_list"] },
  { name: "prompts", path: "/prompts", key: "v", operations: ["prompt_list"], aside: true, within: "evaluation" },
  { name: "spending", path: "/spending", key: "y", operations: ["spending_show"], aside: true, within: "evaluation" },
  { name: "protocol", path: "/protocol", key: "l", operations: ["benchmark_show"], aside: true },
];

/** Pages that need other operations than their place. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  "/bulk": ["bulk_list"],
  "/people/teams": ["team_list"],
  "/people/invitations": ["invitation_list"],
  "/people/outsiders": ["outsider_list"],
  "/protocol/new": ["protocol_adopt"],
  "/protocol/lists/new": ["category_list_create"],
  "/pictures/add": ["upload_create"],
  "/pictures/inspect": ["image_judge"],
  "/items/import": ["item_import"],
  "/team/validate": ["peer_pool_claim"],
  "/write/judge": ["item_judge"],
  "/write/click": ["click_claim"],
  "/write/decide": ["item_decide"],
  "/team/spot-checks": ["spot_check_list"],
  "/team/spot-checks/judge": ["item_spot_check"],
  "/team/credit": ["credit_list"],
  "/pools/review": ["pool_claim"],
  "/pools/inspection": ["pool_claim"],
};

/** One item's page is open to its annotator too, who may not see the whole list. */
const ONE_ITEM = /^\/items\/\d+$/;

/** A release's scores are open to those who check its items too, who need not see the releases themselves. */
const ONE_BOARD = /^\/releases\/\d+\/(leaderboard|samples|scores)(\/|$)/;

/** Every participant may submit predictions. */
const SUBMISSIONS = /^(\/releases\/\d+)?\/submissions(\/|$)/;

/** A proposed protocol text is for those who may adopt it. */
const PROPOSAL = /^\/protocol\/proposals(\/|$)/;

function isAt(path: string, place: Place): boolean {
  return path === place.path || path.startsWith(`${place.path}/`);
}

/** Of the places that the top bar shows, whether another one below this place has the page. */
export function isLeftToDeeper(path: string, place: Place, shown: readonly Place[]): boolean {
  return shown.some((one) => one.path.startsWith(`${place.path}/`) && isAt(path, one));
}

/** A page below /b/:slug needs one of these operations; an empty list means that every member may see it. */
export function operationsFor(path: string): readonly string[] {
  const below = BELOW[path];
  if (below !== undefined) return below;
  if (ONE_ITEM.test(path)) return ["item_show"];
  if (PROPOSAL.test(path)) return ["protocol_proposal_show"];
  if (SUBMISSIONS.test(path)) return ["submission_list"];
  if (ONE_BOARD.test(path)) return ["leaderboard_show"];
  // The deepest place counts: dialogues are below writing.
  const [place] = PLACES.filter((one) => one.path !== "" && isAt(path, one)).sort((a, b) => b.path.length - a.path.length);
  return place?.operations ?? [];
}

/** Pages for contributing; they require consent before they are shown. */
const CONTRIBUTIONS = ["/work", "/pictures/add", "/pictures/cover", "/pictures/inspect", "/team/validate", "/write/judge", "/write/click", "/write/decide", "/write/dialogue", "/team/spot-checks/judge", "/pools/review", "/pools/inspection"];

export function requiresConsentAt(path: string): boolean {
  return CONTRIBUTIONS.includes(path);
}

interface Reader {
  may: (operation: string) => boolean;
  /** The tracks of the benchmark's kinds. */
  tracks: readonly Track[];
  /** Whether the protocol has a category board. */
  hasBoard?: boolean;
  /** The protocol's kinds of work; without them places of single kinds are not shown. */
  kinds?: readonly string[];
}

interface GoContext extends Reader {
  slug: string | undefined;
  go: (path: string) => void;
}

function isOpen(place: Place, { may, tracks, hasBoard, kinds }: Reader): boolean {
  return (place.kind === undefined || (kinds ?? []).includes(place.kind)) && (place.onlyWithBoard !== true || hasBoard === true) && (place.tracks === undefined || place.tracks.some((one) => tracks.includes(one))) && (place.operations.length === 0 || place.operations.some(may));
}

/** Whether the top bar shows the place to someone. */
export function isInBar(place: Place, reader: Reader): boolean {
  return place.aside !== true && !(place.asideWith ?? []).some(reader.may) && isOpen(place, reader);
}

/** The place that the top bar marks on a page below /b/:slug because the page belongs to it, beside those by address. */
export function markedPlace(path: string): string | undefined {
  return PLACES.find((place) => place.within !== undefined && (path === place.path || path.startsWith(`${place.path}/`)))?.within;
}

export const goActions: readonly Action<GoContext>[] = [
  ...PLACES.map((place) => ({
    name: `go.${place.name}`,
    label: `app:go.${place.name}`,
    keys: [`g ${place.key}`],
    isEnabled: (c: GoContext) => c.slug !== undefined && isOpen(place, c),
    perform: (c: GoContext) => c.go(`/b/${c.slug ?? ""}${place.path}`),
  })),
  { name: "go.benchmarks", label: "app:go.benchmarks", keys: ["g b"], perform: (c) => c.go("/benchmarks") },
  {
    name: "go.systems",
    label: "app:go.systems",
    keys: ["g s"],
    isEnabled: (c) => c.slug === undefined || c.may("system_list"),
    perform: (c) => c.go("/systems"),
  },
  { name: "go.notices", label: "app:go.notices", keys: ["g n"], perform: (c) => c.go("/notices") },
  { name: "go.help", label: "app:go.help", keys: ["g j"], perform: (c) => c.go("/help") },
  { name: "go.account", label: "app:go.account", keys: ["g u"], perform: (c) => c.go("/account") },
];
