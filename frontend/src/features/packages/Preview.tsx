/** What a rule would make: how many packages of what, what is left over, and what passing them would mean. */
import { useTranslation } from "react-i18next";
import { reasonsIn, useBenchmark } from "@/api/benchmark";
import type { Answer } from "@/api/request";
import { useMay } from "@/api/session";
import { useFormat } from "@/i18n/format";
import { useLocalised } from "@/i18n/localised";
import { ButtonLink } from "@/ui/Button";
import { Chances } from "@/ui/Chances";
import { useWarningText } from "@/ui/warnings";
import { Notice } from "@/ui/Notice";
import type { Chosen } from "./PickPeople";
import styles from "./packages.module.css";

type PreviewResult = Answer<"package_preview">;

/** Packages listed one by one; the answer names fifty at most. */
const LISTED = 12;
/** Warnings of pictures that no package includes. */
const NOT_CHECKED = "pictures_not_clear";
const LEFT_OUT = [NOT_CHECKED, "pictures_without_subset"];

export function Preview({ slug, preview, people }: { slug: string; preview: PreviewResult; people: readonly Chosen[] }) {
  const { t } = useTranslation("packages");
  const format = useFormat();
  const name = useLocalised();
  const subsets = reasonsIn(useBenchmark(slug).data?.protocol.content, "images", "subsets");
  const { inspection, packages } = preview;
  const say = useWarningText();
  const may = useMay(slug);
  const warnings = preview.warnings.map((warning) => (
    <Notice
      tone="warn"
      key={warning.code}
      action={warning.code === NOT_CHECKED && may("cover_hold") && <ButtonLink small to={`/b/${slug}/pictures/cover`}>{t("preview.checkPictures")}</ButtonLink>}
    >
      <span data-testid={`warning-${warning.code}`}>{say(warning)}</span>
    </Notice>
  ));
  const subset = preview.subset !== null && (
    <p className="dim" data-testid="preview-subset">
      {t("preview.subset", { name: name(subsets.find((one) => one.code === preview.subset)?.name) || preview.subset })}
    </p>
  );
  if (preview.waiting === 0) {
    return (
      <>
        <p className="dim">{t("preview.nothing")}</p>
        {subset}
        {warnings.filter((one) => one.key !== null && LEFT_OUT.includes(one.key))}
      </>
    );
  }
  return (
    <>
      {subset}
      <dl className="facts">
        <dt>{t("preview.waiting")}</dt>
        <dd className="number">{format.number(preview.waiting)}</dd>
        <dt>{t("preview.chosen")}</dt>
        <dd className="number" data-testid="preview-chosen">
          {format.number(preview.chosen)}
        </dd>
        {preview.copies > 0 && (
          <>
            <dt>{t("preview.copies")}</dt>
            <dd className="number" data-testid="preview-copies">
              {format.number(preview.copies)}
            </dd>
          </>
        )}
        <dt>{t("preview.leftOver")}</dt>
        <dd className="number" data-testid="preview-remaining">
          {format.number(preview.left_over)}
        </dd>
      </dl>
      {packages.length > 0 && (
        <ol className={styles.previewPackages} tabIndex={0} aria-label={t("preview.title")} data-testid="preview-packages">
          {packages.slice(0, LISTED).map((one, index) => (
            <li key={one.number}>
              <b className="number">{t("preview.package", { number: one.number })}</b>{" "}
              <span className="dim">
                {t("size", { count: one.items })}
                {people.length > 0 && ` · ${people[index % people.length]?.name ?? ""}`}
              </span>
              <p className="tiny">{one.categories.map((category) => `${name(category.name) || t("preview.none")} ${format.number(category.n)}`).join(" · ")}</p>
            </li>
          ))}
        </ol>
      )}
      {preview.total > LISTED && <p className="tiny">{t("preview.more", { count: preview.total - LISTED })}</p>}
      {warnings}
      {inspection.size > 0 && (
        <>
          <h3>{t("preview.inspection")}</h3>
          <p className="dim">
            {t("preview.drawn", { size: preview.size, drawn: inspection.size, allowed: inspection.errors_allowed })}
          </p>
          <Chances chances={inspection.pass_chances} />
        </>
      )}
    </>
  );
}
