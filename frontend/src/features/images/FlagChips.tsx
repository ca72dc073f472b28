import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Image } from "@/api/types";
import { Chip } from "@/ui/Chip";

/** Flags for curators; none of them excludes a picture automatically. */
export function FlagChips({ flags, near, slug }: { flags: Image["flags"]; near: Image["near"]; slug: string }) {
  const { t } = useTranslation("images");
  return (
    <>
      {flags
        // Near duplicates are named below, one by one.
        .filter((flag) => !(flag.code === "near_duplicate" && near.length > 0))
        .map((flag) => (
          <li key={flag.code}>
            <Chip tone="warn">{t([`flag.${flag.code}`, flag.code], flag.params)}</Chip>
          </li>
        ))}
      {near.map((nearDuplicate) => (
        <li key={nearDuplicate.id}>
          <Link className="chip chip-warn" to={`/b/${slug}/pictures/${nearDuplicate.id}`}>
            {t("near", { label: nearDuplicate.label })}
          </Link>
        </li>
      ))}
    </>
  );
}
