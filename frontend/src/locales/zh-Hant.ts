/** All texts of one language in one chunk, keyed by namespace (the file's name). */
const files = import.meta.glob<Record<string, unknown>>("./zh-Hant/*.json", { eager: true, import: "default" });

export default Object.fromEntries(
  Object.entries(files).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ""), texts]),
);
