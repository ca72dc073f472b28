/** Whether a typed text is part of one of the strings by which something is found; an empty text finds everything. */
export function isFound(strings: readonly string[], typed: string): boolean {
  const words = typed.trim().toLowerCase().split(/\s+/).join(" ");
  return words === "" || strings.some((text) => text.includes(words));
}
