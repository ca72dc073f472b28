/** What a protocol names and the software does not have yet, as dotted paths: "kinds.vqa", "tracks.peer", "people". */

/** The last key of each planned path below a part; "release.exporters" → ["coco_boxes"]. */
export function plannedIn(planned: readonly string[], part: string): string[] {
  return planned.filter((path) => path.startsWith(`${part}.`)).map((path) => path.slice(part.length + 1));
}

/** Whether a role's capability ("click:grounding") waits for something that is not built. */
export function isWaiting(planned: readonly string[], capability: string): boolean {
  const name = capability.split(":")[0] ?? "";
  return planned.includes(`capabilities.${name}`);
}
