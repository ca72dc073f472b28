/** Every address of the application, feature by feature. */
import type { RouteObject } from "react-router";
import { routes as audit } from "@/features/audit/routes";
import { routes as benchmarks } from "@/features/benchmarks/routes";
import { routes as board } from "@/features/board/routes";
import { routes as calls } from "@/features/calls/routes";
import { routes as consent } from "@/features/consent/routes";
import { routes as dialogues } from "@/features/dialogues/routes";
import { routes as guidelines } from "@/features/guidelines/routes";
import { routes as help } from "@/features/help/routes";
import { routes as home } from "@/features/home/routes";
import { routes as images } from "@/features/images/routes";
import { routes as imports } from "@/features/imports/routes";
import { routes as item } from "@/features/item/routes";
import { routes as leaderboard } from "@/features/leaderboard/routes";
import { routes as notices } from "@/features/notices/routes";
import { routes as items } from "@/features/items/routes";
import { routes as packages } from "@/features/packages/routes";
import { routes as people } from "@/features/people/routes";
import { routes as prompts } from "@/features/prompts/routes";
import { routes as publication } from "@/features/publication/routes";
import { routes as quality } from "@/features/quality/routes";
import { routes as releases } from "@/features/releases/routes";
import { routes as runs } from "@/features/runs/routes";
import { routes as session } from "@/features/session/routes";
import { routes as samples } from "@/features/samples/routes";
import { routes as sets } from "@/features/sets/routes";
import { routes as statistics } from "@/features/statistics/routes";
import { routes as submissions } from "@/features/submissions/routes";
import { routes as team } from "@/features/team/routes";
import { routes as systems } from "@/features/systems/routes";
import { routes as workspace } from "@/workspace/routes";

/** Inside the frame with the top bar. Features write whole paths: "/b/:slug/pictures". */
export const FRAMED: readonly RouteObject[] = [
  ...home,
  ...help,
  ...benchmarks,
  ...board,
  ...people,
  ...images,
  ...packages,
  ...items,
  ...team,
  ...imports,
  ...prompts,
  ...quality,
  ...statistics,
  ...releases,
  ...publication,
  ...runs,
  ...samples,
  ...sets,
  ...leaderboard,
  ...submissions,
  ...systems,
  ...audit,
  ...calls,
  ...consent,
  ...guidelines,
  ...item,
  ...dialogues,
  ...notices,
  { path: "/account", lazy: async () => ({ Component: (await import("./Account")).Account }) },
];

/** Screens with a frame of their own. */
export const BARE: readonly RouteObject[] = [...workspace];

/** Public pages: invitation and reset links. */
export const PUBLIC: readonly RouteObject[] = [...session];
