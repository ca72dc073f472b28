/** A picture beside each of its near duplicates: same part, same zoom, and what is known of both. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useRead } from "@/api/queries";
import type { NearImageDetail } from "@/api/types";
import { Compare } from "@/picture/Compare";
import { Loaded } from "@/ui/Loaded";
import { Chip } from "@/ui/Chip";
import { STATE_TONES } from "./states";
import styles from "./near-duplicates.module.css";

type Side = Omit<NearImageDetail, "distance" | "thumb_url">;

export function NearDuplicates({ id, slug }: { id: number; slug: string }) {
  const { t } = useTranslation("images");
  const image = useRead("image_show", { path: { id } });
  const [chosen, setChosen] = useState<number | null>(null);
  const side = (one: Side, isLink: boolean) => ({
    view: one.view_url,
    clean: one.clean_url,
    width: one.width,
    height: one.height,
    label: one.label,
    caption: <Facts image={one} slug={slug} isLink={isLink} />,
  });
  return (
    <Loaded of={image}>
      {(data) => {
        const nearDuplicate = data.near.find((one) => one.id === chosen) ?? data.near[0];
        if (!nearDuplicate) return null;
        return (
          <div className={styles.nearDuplicates}>
            {data.near.length > 1 && (
              <div className="chips" role="group" aria-label={t("nearDuplicates.title")}>
                {data.near.map((one) => (
                  <button key={one.id} type="button" className="chip" aria-pressed={one.id === nearDuplicate.id} onClick={() => setChosen(one.id)}>
                    {one.label}
                  </button>
                ))}
              </div>
            )}
            <p className="tiny">
              {t("nearDuplicates.text", { distance: t("nearDuplicates.distance", { count: nearDuplicate.distance }) })}
            </p>
            <Compare key={nearDuplicate.id} left={side(data, false)} right={side(nearDuplicate, true)} />
          </div>
        );
      }}
    </Loaded>
  );
}

function Facts({ image, slug, isLink }: { image: Side; slug: string; isLink: boolean }) {
  const { t } = useTranslation("images");
  return (
    <span className={styles.nearDuplicateFacts}>
      {isLink ? <Link to={`/b/${slug}/pictures/${image.id}`}>{image.label}</Link> : <b>{image.label}</b>}
      <Chip tone={STATE_TONES[image.state]}>{t(`ui:imageState.${image.state}`)}</Chip>
      <span className="dim number">
        {image.width} × {image.height} · {image.contributor?.name ?? t("ui:nameHidden")}
      </span>
    </span>
  );
}
