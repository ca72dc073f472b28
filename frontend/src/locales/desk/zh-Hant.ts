/** The texts the desk needs in one chunk, keyed by namespace; desk/texts.test.ts says which those are. */
const files = import.meta.glob<Record<string, unknown>>(
  "../zh-Hant/{app,comments,consent,errors,kinds,picture,session,ui,workspace}.json",
  { eager: true, import: "default" },
);

export default Object.fromEntries(
  Object.entries(files).map(([path, texts]) => [path.replace(/^.*\/|\.json$/g, ""), texts]),
);
