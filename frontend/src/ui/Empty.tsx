import type { ReactNode } from "react";
import "./ui.css";

/** An empty page: what will appear here, and what to do next. */
export function Empty({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="empty" data-testid="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
  );
}
