/** What the reader should do with a package next. The server says what is possible; this only chooses. */
import type { Package } from "@/api/types";

export type Step = "begin" | "write" | "check" | "resume" | "take" | "review" | "inspect" | "result";

export function nextStep(
  pkg: Pick<Package, "state" | "written" | "size" | "available_actions">,
): Step | null {
  const can = (operation: string) => pkg.available_actions.includes(operation);
  // Which of the free ones somebody takes is the server's choice; one that was assigned is theirs.
  if (pkg.state === "assigned" && can("package_claim")) return "begin";
  if (can("item_submit")) return pkg.written < pkg.size ? "write" : "check";
  if (can("package_resume")) return "resume";
  if (can("item_review")) return "review";
  if (can("package_review_take")) return "take";
  if (can("item_inspect")) return "inspect";
  return can("inspection_show") ? "result" : null;
}
