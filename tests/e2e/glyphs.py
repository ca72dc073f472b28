"""Whether a page draws every character that it shows, or a box in place of some for want of a font."""

from __future__ import annotations

from playwright.sync_api import Page

# No font has the noncharacter U+10FFFF, so it is drawn as the box that stands for any character that no font has. A
# character that looks the same as that box, in the fonts of its element, is missing. What draws nothing is left out:
# blanks, control characters, joiners and marks of direction.
MISSING = r"""() => {
  const size = 48;
  const canvas = new OffscreenCanvas(size, size).getContext("2d", { willReadFrequently: true });
  const drawn = (font, text) => {
    canvas.font = font;
    canvas.clearRect(0, 0, size, size);
    canvas.fillText(text, size / 4, (2 * size) / 3);
    return new Uint32Array(canvas.getImageData(0, 0, size, size).data.buffer).join();
  };
  const boxes = new Map();
  const checked = new Set();
  const missing = new Set();
  for (const element of document.body.querySelectorAll("*:not(script, style)")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data);
    const texts = [...own, element.value ?? "", element.placeholder ?? ""].join("");
    const font = `${size / 2}px ${getComputedStyle(element).fontFamily}`;
    for (const character of texts.replace(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "")) {
      if (checked.has(font + character)) continue;
      checked.add(font + character);
      if (!boxes.has(font)) boxes.set(font, drawn(font, "\u{10FFFF}"));
      if (drawn(font, character) === boxes.get(font)) missing.add(character);
    }
  }
  return [...missing].sort();
}"""


def missing_glyphs(page: Page) -> list[str]:
    """Return the characters on the page, in fields too, that are drawn as boxes."""
    characters: list[str] = page.evaluate(MISSING)
    return characters
