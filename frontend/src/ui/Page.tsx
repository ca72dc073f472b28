import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { nameWindow } from "./title";
import "./ui.css";

/** A page inside the frame: its title (also the window's), one line of explanation, and what can be done here. */
export function Page({
  title,
  lead,
  actions,
  narrow = false,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  narrow?: boolean;
  children: ReactNode;
}) {
  useTitle(title);
  return (
    <main className={narrow ? "page page-narrow" : "page"}>
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </main>
  );
}

export function useTitle(title: string): void {
  const { t } = useTranslation("ui");
  const product = t("product");
  useEffect(() => {
    nameWindow(title === "" ? product : `${title} · ${product}`);
  }, [title, product]);
}
