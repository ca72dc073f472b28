import { useTranslation } from "react-i18next";
import { useRead } from "@/api/queries";
import { useTitle } from "@/ui/Page";
import { LogInForm, useLogIn } from "./LogInForm";
import { PublicFrame } from "./PublicFrame";
import styles from "./sign-in.module.css";

/**
 * Signing in, in place: the address stays what it was. `again` names the person whose session ended
 * while they worked; what they had open waits behind this page.
 */
export function SignIn({ onSignedIn, again }: { onSignedIn: () => Promise<void>; again?: string }) {
  const { t } = useTranslation("session");
  const logIn = useLogIn(onSignedIn);
  // Only the demo answers; anywhere else this is a 404 and nothing is shown.
  const demo = useRead("demo_log_ins", {}, { staleTime: Infinity });
  useTitle(t("title"));

  return (
    <PublicFrame>
      <p className="dim">{t("lead")}</p>
      {again !== undefined && (
        <p className="notice notice-warn" role="status">
          {t("again")}
        </p>
      )}
      <LogInForm again={again} logIn={logIn} />
      {demo.data && demo.data.length > 0 && (
        <section className={styles.signinDemo} aria-label={t("demo.title")} data-testid="demo-log-ins">
          <h2>{t("demo.title")}</h2>
          <p className="tiny">{t("demo.lead")}</p>
          <ul>
            {demo.data.map((one) => (
              <li key={one.username}>
                <button type="button" disabled={logIn.busy} onClick={() => void logIn.enter(one.username, one.password)} data-testid={`demo-${one.username}`}>
                  <b>{t([`ui:role.${one.role}`, one.role])}</b>
                  <span className="mono">{one.username}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </PublicFrame>
  );
}
