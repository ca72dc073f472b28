import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { LANGUAGES } from "@/i18n/languages";
import { DESK_TEXTS } from "./texts";

/** The file an import in `from` names, or null for what others wrote and for styles. */
function fileOf(name: string, from: string): string | null {
  const path = name.startsWith("@/") ? join("src", name.slice(2)) : name.startsWith(".") ? normalize(join(dirname(from), name)) : null;
  if (path === null) return null;
  return [path, `${path}.ts`, `${path}.tsx`, join(path, "index.ts")].find((one) => /\.tsx?$/.test(one) && existsSync(one)) ?? null;
}

/** Every file the desk's page loads: at once, or also what it fetches when it is needed. */
function filesOfTheDesk({ late }: { late: boolean }): Map<string, string> {
  const found = new Map<string, string>();
  const open = ["src/desk.tsx"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || path.startsWith(join("src", "locales"))) continue;
    const text = readFileSync(path, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    found.set(path, text);
    const code = text.replace(/import type [^;]*;/g, "");
    const imports = late ? /(?:from|import)\s*\(?\s*"([^"]+)"/g : /(?:from|import)\s*"([^"]+)"/g;
    for (const [, name = ""] of code.matchAll(imports)) {
      const file = fileOf(name, path);
      if (file !== null) open.push(file);
    }
  }
  return found;
}

/** Namespaces a file takes texts from: its own and those it names by prefix. */
function namespacesIn(text: string): string[] {
  const own = [...text.matchAll(/useTranslation\("([\w-]+)"\)/g)].map(([, name = ""]) => name);
  const named = [...text.matchAll(/["`](\w+):[a-z]\w*[.\w]*(?:["`$])/g)].map(([, name = ""]) => name);
  return [...own, ...named];
}

it.each(LANGUAGES)("the desk carries every text it asks for in %s, and no page's that it does not show", async (language) => {
  const files = [...filesOfTheDesk({ late: true })];
  expect(files.length).toBeGreaterThan(60);
  const { default: texts } = await DESK_TEXTS[language]();
  const known = new Set(readdirSync(`src/locales/${language}`).map((name) => name.replace(/\.json$/, "")));
  const asked = new Set(files.flatMap(([, text]) => namespacesIn(text)).filter((name) => known.has(name)));
  expect(Object.keys(texts).sort()).toEqual([...asked].sort());
});

it("waits for nothing of the kit: menus, the palette and comments fetch it later", () => {
  const kit = ({ late }: { late: boolean }) =>
    [...filesOfTheDesk({ late })].filter(([path, text]) => path.includes("ui/kit") || text.includes('"@base-ui')).map(([path]) => path);
  expect(kit({ late: false })).toEqual([]);
  expect(kit({ late: true })).toEqual(["src/ui/kit/Palette.tsx", "src/ui/kit/MentionField.tsx", "src/ui/kit/OpenedMenu.tsx"]);
});
