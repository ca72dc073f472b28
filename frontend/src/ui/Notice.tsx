import type { ReactNode } from "react";
import "./ui.css";

/** A message in the page. `bad` is announced at once, the others when the reader pauses. */
export function Notice({ tone = "plain", children, action }: { tone?: "plain" | "good" | "warn" | "bad"; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <div className="text">{children}</div>
      {action}
    </div>
  );
}
