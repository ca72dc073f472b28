/** Fails the build when the desk's first load grows past its bound: people open that page many times a day. */
import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** Bytes of script and style, compressed, before the desk can be drawn. Texts and the page itself come on top. */
const LIMIT = 200_000;

export function deskBudget(): Plugin {
  return {
    name: "desk-budget",
    apply: "build",
    writeBundle(_options, bundle) {
      const size = firstLoad(bundle, "desk");
      if (size > LIMIT) this.error(`The desk's first load is ${size} bytes compressed, over its limit of ${LIMIT}.`);
      this.info(`The desk's first load: ${size} bytes compressed.`);
    },
  };
}

/** The compressed size of an entry with every script and style it loads before it runs. */
function firstLoad(bundle: Rolldown.OutputBundle, name: string): number {
  const entry = Object.values(bundle).find((one) => one.type === "chunk" && one.isEntry && one.name === name);
  if (entry === undefined) throw new Error(`no entry "${name}"`);
  const files = new Set<string>();
  const open = [entry.fileName];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const part = bundle[file];
    if (part?.type === "chunk") open.push(...part.imports, ...(part.viteMetadata?.importedCss ?? []));
  }
  let size = 0;
  for (const file of files) {
    const part = bundle[file];
    if (part) size += gzipSync(part.type === "chunk" ? part.code : part.source, { level: 9 }).length;
  }
  return size;
}
