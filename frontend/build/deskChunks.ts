/**
 * What the desk needs, in two files: what others wrote and seldom changes, and what is ours. A browser that comes for
 * the first time then waits for few answers; the other pages use the same two files.
 */

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

interface Group {
  name: (id: string, modules: Modules) => string | null;
  /** What the bundler calls the group when it reports it. */
  debugName: string;
  priority: number;
}

/** The groups of modules that the bundler makes these two files of. */
export function deskChunks(entry: string): Group[] {
  let reached: ReadonlySet<string> | null = null;
  const isReached = (id: string, modules: Modules) => (reached ??= reachedFrom(entry, modules)).has(id);
  const isForeign = (id: string) => id.includes("/node_modules/") || id.startsWith("\0");
  return [
    { name: (id, modules) => (isForeign(id) && isReached(id, modules) ? "vendor" : null), debugName: "vendor", priority: 2 },
    { name: (id, modules) => (isReached(id, modules) ? "base" : null), debugName: "base", priority: 1 },
  ];
}

/** Every module that is loaded with the entry; what it imports later, when needed, is not. */
function reachedFrom(entry: string, modules: Modules): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [entry];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
      if (reached.has(imported)) continue;
      reached.add(imported);
      open.push(imported);
    }
  }
  return reached;
}
