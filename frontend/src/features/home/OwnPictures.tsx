/** What became of the pictures that a contributor added: how many are in each state, each leading to them. */
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useRead } from "@/api/queries";
import { useSessionBenchmark } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { Loaded } from "@/ui/Loaded";
import styles from "./home.module.css";

const STATES = ["received", "accepted", "refused", "withdrawn"] as const;

export function OwnPictures({ slug }: { slug: string }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const counts = useRead("image_counts", { path: { b: slug } });
  const hasTeam = (useSessionBenchmark(slug)?.teams ?? []).length > 0;
  return (
    <section className={styles.own} aria-labelledby="own-pictures" data-testid="own-pictures">
      <h2 id="own-pictures">{t(hasTeam ? "pictures.ofTeam" : "pictures.own")}</h2>
      <Loaded of={counts}>
        {(data) =>
          STATES.every((state) => data[state] === 0) ? (
            <p className="dim">{t("pictures.none")}</p>
          ) : (
            <dl className="facts">
              {STATES.filter((state) => data[state] > 0).map((state) => (
                <Fragment key={state}>
                  <dt>{t(`ui:imageState.${state}`)}</dt>
                  <dd className="number">
                    <Link to={`/b/${slug}/pictures?state=${state}`} data-testid={`own-${state}`}>
                      {format.number(data[state])}
                    </Link>
                  </dd>
                </Fragment>
              ))}
            </dl>
          )
        }
      </Loaded>
    </section>
  );
}
