/** Whether contributors may upload pictures by their web addresses; administrators switch it. */
import { useTranslation } from "react-i18next";
import { useRead, useWrite } from "@/api/queries";
import { Button } from "@/ui/Button";
import { Chip } from "@/ui/Chip";
import { Notice } from "@/ui/Notice";
import { Problem } from "@/ui/Problem";
import styles from "./benchmarks.module.css";

export function UrlSetting({ slug }: { slug: string }) {
  const { t } = useTranslation("benchmarks");
  const setting = useRead("url_setting_show", { path: { b: slug } });
  const update = useWrite("url_setting_update");
  const of = setting.data;
  if (!of?.available_actions.includes("url_setting_update")) return null;
  return (
    <section className={`card form ${styles.urlSetting}`} aria-labelledby="url-setting" data-testid="url-setting" data-on={of.is_on}>
      <h2 id="url-setting">
        {t("addresses.title")} <Chip tone={of.is_on ? "good" : undefined}>{t(of.is_on ? "addresses.on" : "addresses.off")}</Chip>
      </h2>
      <p className="dim">{t("addresses.text")}</p>
      {!of.is_configured && <Notice tone="warn">{t("addresses.notConfigured")}</Notice>}
      {update.error && <Problem error={update.error} />}
      <div className="row-actions">
        <Button
          look={of.is_on ? "plain" : "primary"}
          busy={update.isPending}
          disabled={!of.is_configured && !of.is_on}
          onClick={() => update.mutate({ path: { b: slug }, body: { is_on: !of.is_on } })}
          data-testid="url-setting-switch"
        >
          {t(of.is_on ? "addresses.switchOff" : "addresses.switchOn")}
        </Button>
      </div>
    </section>
  );
}
