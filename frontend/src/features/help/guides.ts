/** The guides for each role, from docs/guide: a chunk for each file and each picture's address. */
import type { Language } from "@/i18n/languages";

export const GUIDES = ["annotator", "member", "senior", "curator", "admin", "submitter", "developer"] as const;
export type Guide = (typeof GUIDES)[number];

const TEXTS = import.meta.glob<string>("../../../../docs/guide/*/*.md", { query: "?raw", import: "default" });
const PICTURES = import.meta.glob<string>(["../../../../docs/guide/images/*.png", "../../../../docs/images/*.png"], { query: "?url", import: "default", eager: true });
const DOCS = "../../../../docs";

export function isGuide(name: string | undefined): name is Guide {
  return (GUIDES as readonly string[]).includes(name ?? "");
}

export interface GuideText {
  /** Its first heading. */
  title: string;
  /** What follows the heading, in Markdown. */
  text: string;
}

export async function loadGuide(guide: Guide, language: Language): Promise<GuideText> {
  const load = TEXTS[`${DOCS}/guide/${language}/${guide}.md`];
  if (load === undefined) throw new Error(`There is no guide ${guide} in ${language}.`);
  const [heading = "", ...lines] = (await load()).split("\n");
  return { title: heading.replace(/^# /, ""), text: lines.join("\n").trim() };
}

/** Where a link of a guide leads inside the application: to another guide. Other files of the repository are not served. */
export function guideAddress(written: string): string | null {
  const name = /^(?:\.\.\/)?(?:[\w-]+\/)?(\w+)\.md(?:#.*)?$/.exec(written)?.[1];
  if (name === "README") return "/help";
  return isGuide(name) ? `/help/${name}` : null;
}

/** The address of a picture that a guide shows, by its place beside the guide. */
export function guidePicture(written: string): string | null {
  const place = new URL(written, "https://docs/guide/language/").pathname;
  return PICTURES[`${DOCS}${place}`] ?? null;
}
