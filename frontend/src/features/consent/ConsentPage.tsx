import { useTranslation } from "react-i18next";
import { useSlug } from "@/api/benchmark";
import { useRead } from "@/api/queries";
import { Loaded } from "@/ui/Loaded";
import { ButtonLink } from "@/ui/Button";
import { Notice } from "@/ui/Notice";
import { Page } from "@/ui/Page";
import { Time } from "@/ui/Time";
import { ConsentForm } from "./ConsentForm";
import { ConsentBody } from "./ConsentBody";

/** The consent text of a benchmark, to agree to or to read again. */
export function ConsentPage() {
  const { t } = useTranslation("consent");
  const slug = useSlug();
  const text = useRead("consent_show", { path: { b: slug } });
  return (
    <Page title={t("title")} narrow>
      <Loaded of={text}>
        {(data) =>
          data.text !== null && data.given_at === null ? (
            <div className="card">
              <ConsentForm slug={slug} />
            </div>
          ) : (
            <div className="card form">
              <ConsentBody text={data} />
              {data.given_at === null ? (
                <Notice>{t("notNeeded")}</Notice>
              ) : (
                <Notice tone="good" action={<ButtonLink to="/account">{t("toAccount")}</ButtonLink>}>
                  <Time at={data.given_at} sentence={(time) => t("agreed", { time })} />
                </Notice>
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
