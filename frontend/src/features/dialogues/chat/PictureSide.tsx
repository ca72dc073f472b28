/** The picture beside the chat, which the answerer alone is sent. */
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Dialogue } from "@/api/types";
import styles from "./chat.module.css";

const Stage = lazy(async () => ({ default: (await import("@/picture/Stage")).Stage }));

export function PictureSide({ image }: { image: NonNullable<Dialogue["image"]> }) {
  const { t } = useTranslation("dialogues");
  return (
    <div className={styles.picture} data-testid="picture">
      <Suspense fallback={null}>
        <Stage view={image.view_url} clean={image.clean_url} width={image.width} height={image.height} label={t("picture")} />
      </Suspense>
    </div>
  );
}
