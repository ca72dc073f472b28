/**
 * The rooms of src/ and which of them each may import. A room imports its own files by
 * relative path and other rooms through "@/…"; a feature never imports another feature.
 */
import path from "node:path";

const BELOW = ["ui", "api", "picture", "i18n", "store"];

/** room → rooms it may import. A room that is not listed here is refused. */
export const ROOMS = {
  desk: [...BELOW, "app", "workspace", "locales"],
  app: [...BELOW, "workspace", "features", "item", "kinds", "locales"],
  workspace: [...BELOW, "item", "kinds"],
  features: [...BELOW, "bulk", "board", "item", "run", "kinds"],
  board: [...BELOW, "run"],
  bulk: BELOW,
  item: [...BELOW, "kinds"],
  run: BELOW,
  kinds: BELOW,
  picture: ["ui", "i18n", "store"],
  ui: ["i18n", "store"],
  api: ["i18n", "store"],
  store: [],
  i18n: ["locales"],
  locales: [],
  testing: [...BELOW, "kinds", "features", "workspace", "locales"],
};

/** "src/features/images/Grid.tsx" → { room: "features", feature: "images" } */
function roomOf(relative) {
  const [room, feature] = relative.split(path.sep);
  return { room, feature: room === "features" ? feature : undefined };
}

export default {
  meta: {
    type: "problem",
    docs: { description: "imports run app → features, workspace → ui, api, picture, i18n, store" },
    schema: [],
  },
  create(context) {
    const src = path.join(context.cwd, "src");
    const from = path.relative(src, context.filename);
    if (from.startsWith("..") || !from.includes(path.sep)) return {};
    const here = roomOf(from);
    const isTest = /\.test\.tsx?$/.test(from);

    function check(node) {
      const name = node.source?.value;
      if (typeof name !== "string") return;
      if (name.startsWith("@base-ui/") && !from.startsWith(path.join("ui", "kit"))) {
        context.report({ node, message: "Only ui/kit imports @base-ui/react; wrap what is needed there." });
        return;
      }
      let target;
      if (name.startsWith("@/")) target = name.slice(2).split("/").join(path.sep);
      else if (name.startsWith(".")) target = path.relative(src, path.resolve(path.dirname(context.filename), name));
      else return;
      const there = roomOf(target);
      if (there.room === here.room && there.feature === here.feature) return;
      if (isTest && there.room === "testing") return;
      if (there.room === here.room && here.room === "features") {
        context.report({ node, message: `Feature "${here.feature}" may not import feature "${there.feature}": what both need belongs in api/ or ui/.` });
        return;
      }
      if (!(ROOMS[here.room] ?? []).includes(there.room)) {
        context.report({ node, message: `"${here.room}" may not import "${there.room}" (see eslint/rooms.js).` });
      }
    }
    return { ImportDeclaration: check, ImportExpression: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};
