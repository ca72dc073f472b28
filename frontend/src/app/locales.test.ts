import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "@/api/error-codes";
import en from "@/locales/en";
import zhHans from "@/locales/zh-Hans";
import zhHant from "@/locales/zh-Hant";

type Texts = Record<string, unknown>;

/** "images.intake.title" → text, with the namespace in front: "images:intake.title". */
function flatten(texts: Record<string, Texts>): Map<string, string> {
  const flat = new Map<string, string>();
  const walk = (prefix: string, value: unknown) => {
    if (typeof value === "string") flat.set(prefix, value);
    else for (const [key, entry] of Object.entries(value as Texts)) walk(prefix.endsWith(":") ? prefix + key : `${prefix}.${key}`, entry);
  };
  for (const [namespace, entries] of Object.entries(texts)) walk(`${namespace}:`, entries);
  return flat;
}

const LANGUAGES = {
  "zh-Hans": flatten(zhHans),
  "zh-Hant": flatten(zhHant),
  en: flatten(en),
};
const source = LANGUAGES["zh-Hans"];

/** Plural forms count as one key. A key is one only beside its `_other` form: "regions_few" alone is a name. */
const base = (key: string, texts: Map<string, string>) => {
  const stem = key.replace(/_(zero|one|two|few|many|other)$/, "");
  return texts.has(`${stem}_other`) ? stem : key;
};
const bases = (texts: Map<string, string>) => [...new Set([...texts.keys()].map((key) => base(key, texts)))].sort();
/** A number in front of a noun, which needs a form for one. */
const COUNTED = /\{\{[^}]+\}\} (?:\w+ )?(?:categories|characters|checks|comments|days|errors|fields|files|items|lines|members|minutes|packages|people|pictures|rows|rules|sentences|uploads|verdicts|workers)\b/;
const placeholders = (text: string) => [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]))].sort();

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

const sources = filesUnder("src")
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes("testing"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** Keys that a file asks for: `t("…")` under the namespace of its useTranslation, and labels that carry their own. */
function keysAsked(text: string): string[] {
  const namespace = /useTranslation\("([\w-]+)"\)/.exec(text)?.[1];
  const asked: string[] = [];
  for (const [, key = ""] of text.matchAll(/\bt\(\s*"([^"]+)"/g)) {
    if (key.includes(":")) asked.push(key);
    else if (namespace !== undefined) asked.push(`${namespace}:${key}`);
  }
  for (const [, key = ""] of text.matchAll(/\blabel:\s*"([\w-]+:[\w.]+)"/g)) asked.push(key);
  return asked;
}

/** Starts of keys that are put together at run time: t(`state.${state}`) → "ui:state." */
function startsAsked(text: string): string[] {
  const namespace = /useTranslation\("([\w-]+)"\)/.exec(text)?.[1];
  const asked: string[] = [];
  for (const [, start = ""] of text.matchAll(/\bt\(\s*\[?\s*`([^`$]*)\$\{/g)) {
    if (start === "") continue;
    if (start.includes(":")) asked.push(start);
    else if (namespace !== undefined) asked.push(`${namespace}:${start}`);
  }
  for (const [, start = ""] of text.matchAll(/\blabel:\s*`([\w-]+:[^`$]*)\$\{/g)) asked.push(start);
  return asked;
}

describe.each(Object.entries(LANGUAGES))("%s", (language, texts) => {
  it("has every key of the source and no other", () => {
    expect(bases(texts)).toEqual(bases(source));
  });

  it("has no empty text", () => {
    expect([...texts].filter(([, text]) => text.trim() === "").map(([key]) => key)).toEqual([]);
  });

  it("fills in the same values as the source", () => {
    const differing = [...texts].filter(([key, text]) => {
      const original = source.get(key) ?? source.get(`${base(key, texts)}_other`);
      const dropped: (string | undefined)[] = key.endsWith("_one") ? ["count"] : []; // "one sentence" says its number in words
      const values = (of = "") => placeholders(of).filter((name) => !dropped.includes(name)).join();
      return original !== undefined && values(text) !== values(original);
    });
    expect(differing.map(([key]) => key)).toEqual([]);
  });

  it("has the plural forms that its grammar asks for", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const wrong = bases(texts).flatMap((key) =>
      texts.has(key) ? [] : ["zero", "one", "two", "few", "many", "other"].map((form) => `${key}_${form}`).filter((form) => texts.has(form) !== forms.some((one) => form.endsWith(`_${one}`))),
    );
    expect(wrong).toEqual([]);
  });

  it("counts only in plural forms", () => {
    // Limits and ranges, which are never one.
    const fixed = new Set([
      "errors:filename_too_long",
      "benchmarks:fault.number_too_long",
      "benchmarks:lists.fault.too_long",
      "benchmarks:lists.fault.list_too_long",
      "board:draft.task",
      "kinds:concepts.tooLong",
    ]);
    const wrong = [...texts].filter(([key, text]) => COUNTED.test(text) && base(key, texts) === key && !fixed.has(key));
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  it("writes a percent sign as Intl does, without a space before it", () => {
    expect([...texts].filter(([, text]) => /[\d}]\s%/.test(text)).map(([key]) => key)).toEqual([]);
  });

  it("has no blank after full-width punctuation", () => {
    expect([...texts].filter(([, text]) => /[，。；：？！、（）「」『』《》]\s/u.test(text)).map(([key]) => key)).toEqual([]);
  });

  it("is written in its own script", () => {
    const wrong = [...texts].filter(([, text]) =>
      language === "en"
        ? /\p{Script=Han}/u.test(text)
        : language === "zh-Hant"
          ? /[图标们这张说请选择记录词错误类显评测发单网页写检]/u.test(text)
          : /[圖標們這張說請選擇記錄詞錯誤類顯評測發單網頁寫檢]/u.test(text),
    );
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  it("has one word for one idea", () => {
    // Items are 接受, not 收下; packages are 任务包 (任務包), and items are put into one, not 组包.
    expect([...texts].filter(([, text]) => /收下|不收|工作包|[组組满滿]包/.test(text)).map(([key]) => key)).toEqual([]);
  });
});

describe("errors", () => {
  it("have a sentence for every code of the server", () => {
    const known = new Set(bases(source));
    expect(ERROR_CODES.filter((code) => !known.has(`errors:${code}`))).toEqual([]);
  });
});

describe("source code", () => {
  const known = new Set(bases(source));

  it("asks for keys that exist", () => {
    const missing = sources.flatMap(({ path, text }) => keysAsked(text).filter((key) => !known.has(key)).map((key) => `${path}: ${key}`));
    expect(missing).toEqual([]);
  });

  it("puts keys together from beginnings that exist", () => {
    const missing = sources.flatMap(({ path, text }) =>
      startsAsked(text)
        .filter((start) => ![...known].some((key) => key.startsWith(start)))
        .map((start) => `${path}: ${start}`),
    );
    expect(missing).toEqual([]);
  });

  it("writes no text for people itself", () => {
    const found = sources
      .filter(({ path }) => path.endsWith(".tsx"))
      .flatMap(({ path, text }) => visibleText(text).map((words) => `${path}: ${words}`));
    expect(found).toEqual([]);
  });

  it("puts <Gap /> and no blank behind texts that end in full-width punctuation", () => {
    const wrong = sources.flatMap(({ path, text }) => {
      const namespace = /useTranslation\("([\w-]+)"\)/.exec(text)?.[1] ?? "";
      return [...text.matchAll(/\bt\("([^"]+)"(?:(?!\bt\(|<Gap|\)\})[^\n])*\)\}(?:<\/\w+>)?(?:\{" "\}| [{<])/g)]
        .map(([, key = ""]) => (key.includes(":") ? key : `${namespace}:${key}`))
        .filter((key) => /[，。；：？！、]$/.test(source.get(key) ?? source.get(`${key}_other`) ?? ""))
        .map((key) => `${path}: ${key}`);
    });
    expect(wrong).toEqual([]);
  });

  it("hides the browser's own file chooser, which speaks the browser's language", () => {
    const fields = sources.flatMap(({ text }) => [...text.matchAll(/<input\b[^]*?\/>/g)].map(([field]) => field).filter((field) => field.includes('type="file"')));
    expect(fields.length).toBeGreaterThan(3);
    expect(fields.filter((field) => !/className="visually-hidden"| hidden /.test(field))).toEqual([]);
  });

  it("gives a count to every text with plural forms", () => {
    const plural = new Set([...source.keys()].filter((key) => key.endsWith("_other")).map((key) => base(key, source)));
    const missing = sources.flatMap(({ path, text }) => {
      const namespace = /useTranslation\("([\w-]+)"\)/.exec(text)?.[1];
      return [...text.matchAll(/\bt\(\s*"([^"]+)"([^\n]*)/g)]
        .filter(([, key = "", rest = ""]) => plural.has(key.includes(":") ? key : `${namespace ?? ""}:${key}`) && !/^,\s*(?:\w|\{[^}]*\bcount\b)/.test(rest))
        .map(([, key = ""]) => `${path}: ${key}`);
    });
    expect(missing).toEqual([]);
  });

  it("puts no relative time behind until, since or by: “until in 6 days”", () => {
    const keys = sources.flatMap(({ text }) => {
      const namespace = /useTranslation\("([\w-]+)"\)/.exec(text)?.[1] ?? "";
      return [...text.matchAll(/sentence=\{\((\w+)\) => t\("([^"]+)"/g)].map(([, , key = ""]) => (key.includes(":") ? key : `${namespace}:${key}`));
    });
    expect(keys).toContain("people:invite.until");
    const wrong = keys.filter((key) => /\b(?:until|till|since|by) \{\{|[自至到]\s?\{\{/.test([LANGUAGES.en, source, LANGUAGES["zh-Hant"]].map((texts) => texts.get(key)).join("\n")));
    expect(wrong).toEqual([]);
  });

  it("calls looking for personal information in Chinese by another word than inspecting a picture", () => {
    const texts = [source, LANGUAGES["zh-Hant"]].flatMap((texts) => [...texts].filter(([key]) => /^(?:images:cover\.|home:.*check_pictures)/.test(key)).map(([, text]) => text));
    expect(texts).toContain("确认无个人信息");
    expect(texts.filter((text) => /检查|檢查/.test(text))).toEqual([]);
  });

  it("uses one namespace in a file, others by their prefix", () => {
    const several = sources.filter(({ text }) => new Set([...text.matchAll(/useTranslation\("([\w-]+)"\)/g)].map((match) => match[1])).size > 1);
    expect(several.map(({ path }) => path)).toEqual([]);
  });
});

/** Proper names and abbreviations that are the same in every language. */
const SAME_EVERYWHERE = new Set(["SHA-256", "px"]);

/** Chinese outside comments, and English words between tags or in attributes that are read out. */
function visibleText(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
  const chinese = [...code.matchAll(/\p{Script=Han}+/gu)].map((match) => match[0]);
  const english = [
    ...[...code.matchAll(/<\/?[A-Za-z][^<>]*>\s*([A-Za-z][A-Za-z ,.'-]{2,})\s*<\//g)].map((match) => match[1] ?? ""),
    ...[...code.matchAll(/\b(?:aria-label|title|placeholder|alt|label)="([^"]*[A-Za-z]{3}[^"]*)"/g)].map((match) => match[1] ?? ""),
  ].map((words) => words.trim());
  return [...chinese, ...english].filter((words) => words !== "" && !SAME_EVERYWHERE.has(words));
}
