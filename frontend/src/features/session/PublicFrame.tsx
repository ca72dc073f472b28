import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LanguageSwitch } from "@/ui/LanguageSwitch";
import { ThemeMenu } from "@/ui/ThemeMenu";
import { LanternScene } from "./LanternScene";
import "./sign-in.css";

/** The frame of pages that strangers see: the scene on one side, one task on the other. */
export function PublicFrame({ heading, children }: { heading?: string; children: ReactNode }) {
  const { t } = useTranslation("ui");
  return (
    <div className="signin">
      <section className="signin-scene" aria-hidden="true">
        <LanternScene />
      </section>
      <main className="signin-side">
        <div className="signin-tools">
          <ThemeMenu />
          <LanguageSwitch />
        </div>
        <div className="signin-form">
          <img src="/lantern.svg" alt="" width={44} height={44} />
          <h1>{heading ?? t("product")}</h1>
          {children}
        </div>
      </main>
    </div>
  );
}
