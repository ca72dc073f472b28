/**
 * The numbers of a protocol that most teams change, in its text: finding and replacing them leaves comments and order as
 * they are. Only the forms of YAML that the presets use are read; a number in another form is left to the text. Pure.
 */

interface Place {
  /** Where the value begins and ends in the text. */
  start: number;
  end: number;
  /** Blanks before the key; null inside braces. */
  indent: string | null;
}

/** The place of a plain value at a path of keys, in block form or in braces on its parent's line; null if there is none. */
export function placeOf(text: string, path: readonly string[]): Place | null {
  const lines = text.split("\n");
  let [line, offset, outer, level] = [0, 0, -1, 0];
  let indent: number | null = null;
  for (; line < lines.length; line++) {
    const content = lines[line] ?? "";
    const own = content.length - content.trimStart().length;
    if (!/^\s*(?:#|$)/.test(content)) {
      if (own <= outer) return null; // the block of the key before has ended
      indent ??= own;
      const match = /^\s*([\w-]+):[ \t]*/.exec(content);
      if (match !== null && own === indent && match[1] === path[level]) {
        const from = match[0].length;
        if (level === path.length - 1) return plainAt(content, from, offset, content.slice(0, own));
        if (content[from] === "{") return level === path.length - 2 ? inBraces(content, from, offset, path[level + 1] ?? "") : null;
        [outer, indent, level] = [own, null, level + 1];
      }
    }
    offset += content.length + 1;
  }
  return null;
}

function plainAt(content: string, from: number, offset: number, indent: string | null): Place | null {
  const value = /^[\w.]+/.exec(content.slice(from))?.[0];
  return value === undefined ? null : { start: offset + from, end: offset + from + value.length, indent };
}

function inBraces(content: string, from: number, offset: number, key: string): Place | null {
  const match = new RegExp(`[{,]\\s*${key}:\\s*`).exec(content.slice(from));
  return match === null ? null : plainAt(content, from + match.index + match[0].length, offset, null);
}

/** The value at a path as it is written, without the underscores of long numbers; null if there is none. */
export function valueAt(text: string, path: readonly string[]): string | null {
  const place = placeOf(text, path);
  return place && text.slice(place.start, place.end).replaceAll("_", "");
}

/** Replaces the value at a path; the same text if there is none. */
export function withValue(text: string, path: readonly string[], value: string): string {
  const place = placeOf(text, path);
  return place === null ? text : text.slice(0, place.start) + value + text.slice(place.end);
}

/** Sets a key that may be missing, on a line of its own below another key of the same block. */
export function withSwitch(text: string, path: readonly string[], below: string, isOn: boolean): string {
  if (placeOf(text, path) !== null) return withValue(text, path, String(isOn));
  const place = placeOf(text, [...path.slice(0, -1), below]);
  if (place?.indent == null) return text;
  const end = text.indexOf("\n", place.end);
  const at = end === -1 ? text.length : end;
  return `${text.slice(0, at)}\n${place.indent}${path.at(-1) ?? ""}: ${String(isOn)}${text.slice(at)}`;
}
