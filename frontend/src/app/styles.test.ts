import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).map((name) => join("src", name));
const read = (path: string) => readFileSync(path, "utf8");
const sheets = files.filter((name) => name.endsWith(".css"));
const modules = sheets.filter((name) => name.endsWith(".module.css"));
const code = files.filter((name) => /(?<!\.test)\.tsx?$/.test(name)).map((path) => ({ path, text: read(path) }));

/** The class names a sheet defines itself; `:global(.chip)` names one of ui/. */
function definedIn(path: string): Set<string> {
  const selectors = read(path)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\{[^{}]*\}/g, "{}")
    .replace(/:global\([^)]*\)/g, "");
  return new Set([...selectors.matchAll(/\.([a-zA-Z_][\w-]*)/g)].map(([, name = ""]) => name));
}

/** The class names that code takes from a sheet, with the file that does. */
function usedOf(sheet: string): Map<string, string> {
  const used = new Map<string, string>();
  for (const { path, text } of code) {
    for (const [, name = "", from = ""] of text.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)) {
      const target = from.startsWith("@/") ? join("src", from.slice(2)) : normalize(join(dirname(path), from));
      if (target !== sheet) continue;
      for (const [, one = ""] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))) used.set(one, path);
    }
  }
  return used;
}

it.each(modules)("%s defines what is used of it, and nothing else", (sheet) => {
  const defined = definedIn(sheet);
  const used = usedOf(sheet);
  expect([...used].filter(([name]) => !defined.has(name))).toEqual([]);
  expect([...defined].filter((name) => !used.has(name))).toEqual([]);
});

it("only ui/ and picture/ have class names for the whole page", () => {
  const plain = sheets.filter((name) => !modules.includes(name) && !/^src[\\/](ui|picture)[\\/]/.test(name));
  expect(plain).toEqual([]);
});

it("no class name of ui/ is asked for that ui/ does not define", () => {
  const shared = new Set(sheets.filter((name) => !modules.includes(name)).flatMap((name) => [...definedIn(name)]));
  const asked = modules.flatMap((sheet) => [...read(sheet).matchAll(/:global\(\.([\w-]+)\)/g)].map(([, name = ""]) => ({ sheet, name })));
  expect(asked.filter(({ name }) => !shared.has(name))).toEqual([]);
});
