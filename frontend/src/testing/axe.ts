/** What axe finds wrong in a page, by rule and place. Contrast needs colours, which only a browser computes. */
import axe from "axe-core";

export async function axeFaults(container: Element = document.body): Promise<string[]> {
  const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false }, region: { enabled: false } } });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(" | ")}`);
}
