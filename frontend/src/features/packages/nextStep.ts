/** The reader's next step with a package, chosen from the actions that the server offers. */
import type { Package } from "@/api/types";

export type Step = "begin" | "write" | "check" | "resume" | "startReview" | "review" | "inspect" | "result";

export function nextStep(
  pkg: Pick<Package, "state" | "written" | "size" | "available_actions">,
): Step | null {
  const can = (operation: string) => pkg.available_actions.includes(operation);
  // The server chooses which unassigned package is claimed; an assigned one can be started directly.
  if (pkg.state === "assigned" && can("package_claim")) return "begin";
  if (can("item_submit")) return pkg.written < pkg.size ? "write" : "check";
  if (can("package_resume")) return "resume";
  if (can("item_review")) return "review";
  if (can("package_review_take")) return "startReview";
  if (can("item_inspect")) return "inspect";
  return can("inspection_show") ? "result" : null;
}
