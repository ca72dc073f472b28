import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LanguageSwitch } from "@/ui/LanguageSwitch";
import { ThemeMenu } from "@/ui/ThemeMenu";
import { LanternScene } from "./LanternScene";
import styles from "./sign-in.module.css";

/** The frame of pages that strangers see: the scene on one side, one task on the other. */
export function PublicFrame({ heading, children }: { heading?: string; children: ReactNode }) {
  const { t } = useTranslation("ui");
  return (
    <div className={styles.signin}>
      <section className={styles.signinScene} aria-hidden="true">
        <LanternScene />
      </section>
      <main className={styles.signinSide}>
        <div className={styles.signinTools}>
          <ThemeMenu />
          <LanguageSwitch />
        </div>
        <div className={styles.signinForm}>
          <img src="/lantern.svg" alt="" width={44} height={44} />
          <h1>{heading ?? t("product")}</h1>
          {children}
        </div>
      </main>
    </div>
  );
}
